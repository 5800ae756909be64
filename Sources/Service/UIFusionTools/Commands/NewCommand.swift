import FusionCommandLine
import UIFusionKit
import UIFusionServer

/// Writes a new package with a view model.
struct NewCommand: Command {
  static let name = "new"
  static let summary = "write a new package with a view model"
  static var operand: Operand<Self>? {
    Operand("NAME") { (text, command) throws(BadValue) in
      guard let name = PackageName(text) else { throw BadValue(expected: PackageName.rule) }
      command.package = name
    }
  }
  static var flags: [Flag<Self>] {
    [
      Flag("path", "DIR", "folder in which to create the package", \.path),
      Flag(
        "uifusion",
        "PATH",
        "folder of UIFusion",
        \.uifusion,
        defaultValue: "where this program was built",
        expected: "a folder"
      ),
      Flag(
        "from",
        "URL",
        "repository to take UIFusion from, in this version",
        \.source,
        defaultValue: "that folder",
        expected: PackageSource.rule
      ) { PackageSource(address: $0).map(Optional.some) },
    ]
  }

  var package: PackageName?
  var path = "."
  var uifusion: String?
  var source: PackageSource?

  func validate() throws(UsageError) {
    if package == nil { throw UsageError("name the package: new NAME") }
  }

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    guard let package else { return 2 }
    let checkout = try Checkout(at: uifusion)
    let source = source ?? .folder(checkout.path)
    let folder = try NewPackage(name: package, checkout: checkout, source: source).write(in: path)
    writeToStandardOutput(
      """
      \(folder) has a view model, its test and its page. Next:

        cd '\(folder)'
        make test
        make run     # http://127.0.0.1:8080
        make dev     # the same, rebuilt and restarted after each change

      The first build takes some minutes.

      """
    )
    return 0
  }
}
