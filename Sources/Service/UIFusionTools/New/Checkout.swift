import Glibc

/// The folder with the sources of UIFusion on this machine, on which a new package depends.
struct Checkout: Sendable {
  let path: String

  /// What of its front end a page of one's own begins with; the client comes from the program.
  static let style = ["favicon.svg", "style.css", "controls.css"]

  /// - Parameters:
  ///   - path: the folder; nil is the one that this program was built from.
  ///   - source: a file of the program's own sources.
  /// - Throws: ``ToolError``, which says what to do where there is no such folder.
  init(at path: String?, source: String = #filePath) throws(ToolError) {
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
    guard self.path.utf8.allSatisfy(isPlain) else {
      throw ToolError(
        "\(self.path) has characters that a manifest or a Makefile would read as something else: "
          + "move UIFusion to a folder without them"
      )
    }
  }

  /// The text of a file of the front end.
  func style(_ file: String) throws(ToolError) -> [UInt8] {
    try Files.read("\(path)/Public/\(file)")
  }

  /// `Sources/Service/UIFusionTools/New/Checkout.swift` is five steps below it.
  private static func root(of source: String) -> String {
    "/" + source.split(separator: "/").dropLast(5).joined(separator: "/")
  }

  private static func missing(_ folder: String, isGiven: Bool) -> ToolError {
    isGiven
      ? ToolError("\(folder) is not the folder of UIFusion: give the one with its Package.swift")
      : ToolError(
        "UIFusion is no longer at \(folder), from where this program was built: say where it is "
          + "with --uifusion PATH"
      )
  }
}

private func isPlain(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
    UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "+"), UInt8(ascii: "@"), 0x80...:
    true
  default: false
  }
}
