import UIFusionKit

/// The version of this service.
public let uifusionVersion = "0.1.0"

/// Prints the version.
struct VersionCommand: Command {
  static let name = "version"
  static let summary = "print the version"
  static var flags: [Flag<Self>] { [] }

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    writeToStandardOutput("uifusion \(uifusionVersion)\n")
    return 0
  }
}
