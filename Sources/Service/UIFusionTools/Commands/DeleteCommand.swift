import FusionCommandLine
import FusionSessions
import UIFusionKit
import UIFusionServer

/// Ends a session that no service has in use; its id answers 410 for a while.
struct DeleteCommand: Command {
  static let name = "sessions delete"
  static let summary = "delete one session that no service has in use"
  static var flags: [Flag<Self>] { [.store(\.store), .session(\.session)] }

  var store = StoreLocation()
  var session: SessionID?

  func validate() throws(UsageError) { _ = try session.given() }

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    let id = try session.given()
    try store.delete(id)
    writeToStandardOutput("deleted \(id)\n")
    return 0
  }
}
