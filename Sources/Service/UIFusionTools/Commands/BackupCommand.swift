import FusionSQLiteSessions
import UIFusionKit
import UIFusionServer

/// Copies all sessions as they are at one moment, also beside what serves them.
struct BackupCommand: Command {
  static let name = "sessions backup"
  static let summary = "copy all sessions into a folder that --data takes"
  static var flags: [Flag<Self>] {
    [.store(\.store), Flag("output", "FOLDER", "the new folder; has to be given", \.output)]
  }

  var store = StorePlace()
  var output: String?

  func validate() throws(UsageError) {
    guard let output else { throw UsageError("say where to: --output FOLDER") }
    if SessionStorage.isMeantForServer(output) {
      throw UsageError(
        "--output must be the path of a folder: sessions import copies into a database"
      )
    }
  }

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    guard let output else { return 2 }
    try store.backUp(to: output)
    writeToStandardOutput("backed up to \(output)\n")
    return 0
  }
}
