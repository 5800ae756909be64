import FoundationEssentials

/// The encoding base64url without padding (RFC 4648 §5).
enum Base64URL {
  static func encoded(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }

  /// Returns the bytes of a text; nil where it is none.
  static func decoded(_ text: Substring) -> [UInt8]? {
    guard !text.utf8.contains(where: { "+/=".utf8.contains($0) }) else { return nil }
    let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    let standard = text.replacing("-", with: "+").replacing("_", with: "/") + padding
    return Data(base64Encoded: String(standard)).map { Array($0) }
  }
}
