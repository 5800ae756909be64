#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// RFC 9562 section 4, in capitals as Foundation writes it; small letters are read, too.
extension UUID: WireText {
  static var expected: String { "a UUID" }

  static var storedKind: JSONNode.Kind? { nil }

  init?(wireText: String) { self.init(uuidString: wireText) }

  var wireText: String? { uuidString }
}

/// The whole address: what it is relative to is resolved.
extension URL: WireText {
  static var expected: String { "a URL" }

  /// An object with `relative`, and `base` where there is one.
  static var storedKind: JSONNode.Kind? { .object }

  /// Characters that RFC 3986 does not allow are taken for themselves, and written percent-encoded.
  init?(wireText: String) { self.init(string: wireText) }

  /// An empty one could not be read again.
  var wireText: String? {
    let text = absoluteString
    return text.isEmpty ? nil : text
  }
}

/// Base64 by RFC 4648 section 4: padded, in one line, with no bits left over (section 3.5).
extension Data: WireText {
  static var expected: String { "base64" }

  /// An array of bytes.
  static var storedKind: JSONNode.Kind? { .array }

  init?(wireText: String) {
    self.init(base64Encoded: wireText)
    guard base64EncodedString() == wireText else { return nil }
  }

  var wireText: String? { base64EncodedString() }
}
