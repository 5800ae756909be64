import Testing
import UIFusionKit

@testable import FusionSessions

/// The names of running work in an entry.
struct `The names of running work` {
  private let many = (0..<100).map { "row \($0)" }
  private let patches = HostedViewModel.Patches(apply: { patch, old in old + patch })

  private func entry(_ sequence: Int, _ outcome: LogEntry.Outcome, _ names: RunningNames)
    -> LogEntry
  {
    LogEntry(
      sequence: sequence,
      version: sequence,
      time: WallTime(milliseconds: Int64(sequence)),
      outcome: outcome,
      running: names
    )
  }

  /// Returns a session whose head covers the first two entries of its log.
  private func session(_ log: [LogEntry], head running: [String]) -> StoredSession {
    let head = StoredHead(sequence: 2, version: 2, format: 1, state: [2], running: running)
    let time = WallTime(milliseconds: 0)
    var session = StoredSession(
      id: SessionID(high: 1, low: 2),
      viewModel: "rows",
      created: time,
      used: time,
      head: head
    )
    session.entries = Array(log.dropFirst(2))
    return session
  }

  @Test func `are stored in whole if there are few, before or now`() {
    #expect(RunningNames(["a"], after: many) == ["a"])
    #expect(RunningNames(many, after: ["a"]) == .all(many))
    #expect(RunningNames([], after: []).isEmpty)
  }

  @Test func `are stored as changes if there are many`() throws {
    var generator = RandomSource(seed: 7)
    var old = many
    for _ in 0..<500 {
      var new = old
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: break
      case 1: new.insert("new", at: Int.random(in: 0...new.count, using: &generator))
      case 2: new.remove(at: Int.random(in: 0..<new.count, using: &generator))
      default: new.swapAt(0, Int.random(in: 0..<new.count, using: &generator))
      }
      let names = RunningNames(new, after: old)
      let stored = entry(1, .unchanged, names)
      var read = old
      try #require(RunningNames(kind: stored.kind, names.bytes)).apply(to: &read)
      #expect(read == new)
      old = new.count < 70 ? many : new
    }
    let one = RunningNames(many + ["new"], after: many)
    #expect(one == .changed(100..<100, to: ["new"]) && entry(1, .unchanged, one).size < 80)
  }

  @Test func `as changes have a kind that an older build refuses`() {
    let changed = RunningNames.changed(0..<1, to: ["a"])
    for outcome in [LogEntry.Outcome.unchanged, .patch([])] {
      let entry = entry(1, outcome, changed)
      // The older build knows the kinds 0, 1 and 2.
      #expect(entry.kind > 2)
      #expect(LogEntry.Outcome(kind: entry.kind, []) == outcome)
      #expect(self.entry(1, outcome, ["a"]).kind <= 2)
    }
    #expect(LogEntry.Outcome(kind: 3, []) == nil && LogEntry.Outcome(kind: 8, []) == nil)
  }

  @Test(arguments: ["", "1:0", "1:01:x", "1:11:0", "2:-11:0", "1:01:02"])
  func `are damaged if the changes are malformed`(text: String) {
    #expect(RunningNames(kind: 4, Array(text.utf8)) == nil)
  }

  @Test func `are damaged if the changes do not apply`() {
    let log = [
      entry(1, .state([1]), []), entry(2, .state([2]), []),
      entry(3, .unchanged, .changed(1..<2, to: [])),
    ]
    let session = session(log, head: ["a"])
    #expect(throws: StoreError.self) { try session.running }
    #expect(session.isAtWork)
  }

  @Test func `can be read for each past version`() throws {
    let log = [
      entry(1, .state([1]), .all(many)), entry(2, .unchanged, .changed(0..<1, to: [])),
      entry(3, .patch([3]), .changed(0..<0, to: ["new"])),
      entry(4, .patch([4]), .changed(1..<100, to: [])),
    ]
    let past: [[String]] = [many, Array(many[1...]), ["new"] + many[1...], ["new"]]
    let session = session(log, head: past[1])
    #expect(try session.running == past[3])
    for (version, names) in zip(1..., past) {
      let found = try PastLookup(session, log: log, at: .version(version), patches)
      guard case .found(let past) = found else {
        Issue.record("\(version): \(found)")
        continue
      }
      #expect(past.head.running == names, "\(version)")
    }
  }
}
