import FusionCommandLine
import Glibc

/// The folder of UIFusion's sources on this machine.
struct Checkout: Sendable {
  let path: String

  /// The files of the front end that a new package copies; the client comes from the program.
  static let style = ["favicon.svg", "style.css"]

  /// Finds the folder.
  ///
  /// - Parameters:
  ///   - path: the folder; nil for the one from which this program was built.
  ///   - source: a file of this program's sources.
  /// - Throws: ``CommandError`` if UIFusion is not there.
  init(at path: String?, source: String = #filePath) throws(CommandError) {
    let folder = path ?? Self.root(of: source)
    guard let whole = realpath(folder, nil) else {
      throw Self.missing(folder, isGiven: path != nil)
    }
    defer { free(whole) }
    self.path = String(cString: whole)
    let manifest = (try? Files.read(self.path + "/Package.swift")) ?? []
    guard String(decoding: manifest, as: UTF8.self).contains(#"name: "UIFusion""#) else {
      throw Self.missing(folder, isGiven: path != nil)
    }
    guard self.path.utf8.allSatisfy(\.isPlain) else {
      throw CommandError(
        "\(self.path) contains characters with a meaning in a manifest or a Makefile: move UIFusion to a folder "
          + "without them"
      )
    }
  }

  /// Reads a file of the front end.
  func style(_ file: String) throws(CommandError) -> [UInt8] {
    try Files.read("\(path)/Public/\(file)")
  }

  /// Returns the folder five levels above `Sources/Service/UIFusionTools/New/Checkout.swift`.
  private static func root(of source: String) -> String {
    "/" + source.split(separator: "/").dropLast(5).joined(separator: "/")
  }

  private static func missing(_ folder: String, isGiven: Bool) -> CommandError {
    isGiven
      ? CommandError("\(folder) is not the folder of UIFusion: give the one with its Package.swift")
      : CommandError(
        "UIFusion is no longer at \(folder), where this program was built: give its folder with --uifusion PATH"
      )
  }
}
