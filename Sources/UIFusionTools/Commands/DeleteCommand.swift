import FusionSQLiteSessions
import FusionSessions
import UIFusionKit
import UIFusionServer

/// Ends a session in a folder that no service has; its id is answered with 410 for a while.
struct DeleteCommand: Command {
  static let name = "sessions delete"
  static let summary = "delete one session; not beside a service"
  static var flags: [Flag<Self>] { [.folder(\.folder), .session(\.session)] }

  var folder = StoreFolder()
  var session: SessionID?

  func validate() throws(UsageError) { _ = try session.given() }

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    let id = try session.given()
    try folder.expectSessions()
    try folder.write { store in
      guard try store.inventory().sessions.contains(where: { $0.id == id }) else {
        throw folder.unknown(id)
      }
      try store.perform(.end([id], .deleted, at: .now))
      // Nothing of it stays behind in the log.
      store.tidy()
    }
    writeToStandardOutput("deleted \(id)\n")
    return 0
  }
}
