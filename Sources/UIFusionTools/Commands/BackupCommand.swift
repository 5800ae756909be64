import FusionSQLiteSessions
import UIFusionKit
import UIFusionServer

/// Copies a folder's sessions as they are at one moment, also beside a service.
struct BackupCommand: Command {
  static let name = "sessions backup"
  static let summary = "copy all sessions into a folder that --data takes"
  static var flags: [Flag<Self>] {
    [.folder(\.folder), Flag("output", "FOLDER", "the new folder; has to be given", \.output)]
  }

  var folder = StoreFolder()
  var output: String?

  func validate() throws(UsageError) {
    if output == nil { throw UsageError("say where to: --output FOLDER") }
  }

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    guard let output else { return 2 }
    try folder.read { try $0.backUp(to: output) }
    writeToStandardOutput("backed up to \(output)\n")
    return 0
  }
}
