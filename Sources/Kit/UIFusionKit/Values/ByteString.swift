/// A text that is compared by its bytes, as ids, names, keys and paths are.
///
/// For Swift's `==`, `é` in one scalar is equal to `é` in two, and the Kelvin sign to the letter K; in a database, a
/// file system and JSON they are two texts.
package struct ByteString: Hashable, Comparable, Sendable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package static func == (a: ByteString, b: ByteString) -> Bool { a.text.hasSameBytes(as: b.text) }

  package static func < (a: ByteString, b: ByteString) -> Bool { a.text.precedesInBytes(b.text) }

  package func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}

extension String {
  /// Returns whether both texts have the same bytes.
  package func hasSameBytes(as other: String) -> Bool {
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }

  /// Returns whether the bytes come before another text's.
  package func precedesInBytes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}
