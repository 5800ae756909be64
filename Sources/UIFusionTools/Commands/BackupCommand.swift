import FusionSQLiteSessions
import UIFusionKit
import UIFusionServer

/// Copies a folder's sessions as they are at one moment, also beside a service.
struct BackupCommand: Command {
  static let name = "sessions backup"
  static let summary = "copy all sessions into a folder that --data takes"
  static var flags: [Flag<Self>] {
    [.store(\.store), Flag("output", "FOLDER", "the new folder; has to be given", \.output)]
  }

  var store = StorePlace()
  var output: String?

  func validate() throws(UsageError) {
    if case .postgresql = store.storage {
      throw UsageError(
        "sessions backup copies a folder: what is in PostgreSQL is backed up by pg_dump, and put back by pg_restore"
      )
    }
    if output == nil { throw UsageError("say where to: --output FOLDER") }
  }

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    guard let output, case .folder(let path) = store.storage else { return 2 }
    try store.explaining("read") { try SQLiteSessionArchive(folder: path).backUp(to: output) }
    writeToStandardOutput("backed up to \(output)\n")
    return 0
  }
}
