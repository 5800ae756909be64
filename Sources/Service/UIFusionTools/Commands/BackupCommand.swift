import FusionCommandLine
import FusionSQLiteSessions
import UIFusionKit
import UIFusionServer

/// Copies all sessions as of one moment, also beside a running service.
struct BackupCommand: Command {
  static let name = "sessions backup"
  static let summary = "copy all sessions into a folder that --data takes"
  static var flags: [Flag<Self>] {
    [.store(\.store), Flag("output", "FOLDER", "the new folder; required", \.output)]
  }

  var store = StoreLocation()
  var output: String?

  func validate() throws(UsageError) {
    guard let output else { throw UsageError("name the new folder: --output FOLDER") }
    if mayContainPassword(output) {
      throw UsageError("--output must be the path of a folder: use sessions import for a database")
    }
  }

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    guard let output else { return 2 }
    try store.backUp(to: output)
    writeToStandardOutput("backed up to \(output)\n")
    return 0
  }
}
