import FusionCommandLine
import FusionSessions
import UIFusionKit
import UIFusionServer

/// Ends a session's being set aside, so that it is tried again; works beside a running service.
struct ResumeCommand: Command {
  static let name = "sessions resume"
  static let summary = "try a session again that is set aside"
  static var flags: [Flag<Self>] { [.store(\.store), .session(\.session)] }

  var store = StoreLocation()
  var session: SessionID?

  func validate() throws(UsageError) { _ = try session.given() }

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    let id = try session.given()
    let wasSetAside = try store.resume(id)
    writeToStandardOutput(wasSetAside ? "resumed \(id)\n" : "\(id) was not set aside\n")
    return 0
  }
}
