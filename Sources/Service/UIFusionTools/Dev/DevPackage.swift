/// The package in the folder in which `dev` runs.
struct DevPackage: Sendable {
  /// The program that is built and run.
  let product: String

  /// What is built again when it changes.
  static let sources = ["Package.swift", "Package.resolved", "Sources"]
  /// Where `dev` keeps its own.
  static let folder = ".build/dev"

  /// - Parameter product: nil is the first executable that the manifest names.
  /// - Throws: ``ToolError`` where there is no package, or no program in it.
  init(product: String?) throws(ToolError) {
    guard let bytes = try? Files.read("Package.swift") else {
      throw ToolError("there is no Package.swift here: run it in the folder of a package")
    }
    guard let name = product ?? Self.executable(in: String(decoding: bytes, as: UTF8.self)) else {
      throw ToolError("Package.swift names no executable: say which with --product NAME")
    }
    self.product = name
  }

  static func executable(in manifest: String) -> String? {
    manifest.firstMatch(of: /\.executable(?:Target)?\(\s*name:\s*"([^"]+)"/)
      .map { String($0.output.1) }
  }

  var build: [String] { ["swift", "build", "--product", product] }
  var program: String { ".build/debug/\(product)" }
}
