import FusionCommandLine
import FusionSessions
import UIFusionKit
import UIFusionServer

/// Creates a session that goes on from a version of another, which stays as it is.
struct ForkCommand: Command {
  static let name = "sessions fork"
  static let summary = "create a session that goes on from a version of another"
  static var flags: [Flag<Self>] {
    [
      .store(\.store), .session(\.session), .version(\.version),
      Flag("work", "work of then, which the view model is told of, and alarms", \.work),
    ]
  }

  enum Work: String, CaseIterable { case drop, carry }

  var store = StoreLocation()
  var session: SessionID?
  var version: Int?
  var work = Work.drop

  func validate() throws(UsageError) { _ = try session.given() }

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    let id = try session.given()
    let past = try store.past(id, at: version.map { .version($0) } ?? .newest)
    var generator = SystemRandomNumberGenerator()
    let new = SessionID.random(using: &generator)
    let fork = past.fork(new, carriesWork: work == .carry, at: .now)
    try store.put(fork, replacing: false)
    writeToStandardOutput("forked version \(fork.head.version) of \(id) as \(new)\n")
    return 0
  }
}
