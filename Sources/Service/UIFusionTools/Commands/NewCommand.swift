import FusionCommandLine
import UIFusionKit
import UIFusionServer

/// Writes a new package with a view model, or with what a team shares.
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
        "with",
        "PARTS",
        "login, or login,shared: a shared session and desks",
        \.parts,
        defaultValue: "a counter",
        expected: PackagePart.rule
      ) { PackagePart.parts(of: $0) },
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
  var parts: Set<PackagePart> = []
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
    let new = NewPackage(name: package, checkout: checkout, source: source, parts: parts)
    let folder = try new.write(in: path)
    writeToStandardOutput(
      """
      \(folder) has \(contents). Next:

        cd '\(folder)'
        make test
        make run     # http://127.0.0.1:8080
        make dev     # the same, rebuilt and restarted after each change

      The first build takes some minutes.

      """
    )
    return 0
  }

  private var contents: String {
    let first =
      parts.contains(.shared)
      ? "a shared session, a desk for each person, their tests and a page"
      : "a view model, its test and its page"
    return parts.contains(.login) ? first + ", and people to sign in as: ada, password try" : first
  }
}
