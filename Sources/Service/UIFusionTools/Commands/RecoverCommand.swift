import FusionCommandLine
import FusionSessions
import FusionStrictJSON
import UIFusionKit
import UIFusionServer

/// Takes sessions back to what they were, each as a new version on top: nothing is erased.
struct RecoverCommand: Command {
  static let name = "sessions recover"
  static let summary = "take sessions back to what they were, as a new version"
  static var flags: [Flag<Self>] {
    [
      .store(\.store),
      Flag(
        "at",
        "TIME",
        "the moment, with any offset from UTC",
        \.time,
        defaultValue: "none",
        expected: "a time such as 2026-01-31T09:30:00Z"
      ) { text in Timestamp(text).map { .some(WallTime(milliseconds: Int64($0.milliseconds))) } },
      .session(\.session, defaultValue: "all"), .version(\.version),
    ]
  }

  var store = StoreLocation()
  var time: WallTime?
  var session: SessionID?
  var version: Int?

  func validate() throws(UsageError) {
    if (time == nil) == (version == nil) {
      throw UsageError("say what to go back to: --at TIME, or --session ID --version N")
    }
    if version != nil { _ = try session.given() }
  }

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    guard let point = time.map({ .time($0) }) ?? version.map({ HistoryPoint.version($0) }) else {
      return 2
    }
    let recovery = try store.recover(session, to: point)
    var lines = ["\(count(recovery.recovered)) recovered, as a new version"]
    if recovery.unchanged > 0 { lines.append("\(count(recovery.unchanged)) not changed since") }
    if !recovery.later.isEmpty {
      lines.append("\(count(recovery.later.count)) created later, and left alone")
    }
    lines += recovery.later.map { "session \($0) left alone: it was created later" }
    lines += recovery.lost.map { "session \($0) left alone: that is not in its history" }
    lines += recovery.damaged.map { "session \($0) left alone: its log is damaged" }
    writeToStandardOutput(lines.map { $0 + "\n" }.joined())
    return recovery.lost.isEmpty && recovery.damaged.isEmpty ? 0 : 1
  }

  private func count(_ number: Int) -> String { "\(number) session\(number == 1 ? "" : "s")" }
}
