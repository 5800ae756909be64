import FusionCommandLine
import FusionSessions
import FusionStrictJSON
import UIFusionKit
import UIFusionServer

/// Writes a session with its history as a JSON document.
struct ExportCommand: Command {
  static let name = "sessions export"
  static let summary = "write one session as a JSON document, for import"
  static var flags: [Flag<Self>] {
    [
      .store(\.store), .session(\.session),
      Flag("output", "FILE", "file to write; default standard output", \.output),
    ]
  }

  var store = StoreLocation()
  var session: SessionID?
  var output: String?

  func validate() throws(UsageError) { _ = try session.given() }

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    let session = try store.history(of: session.given()).whole
    try Files.write(try SessionDocument.tree(of: session).bytes + [UInt8(ascii: "\n")], to: output)
    return 0
  }
}
