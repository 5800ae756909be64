/// A reader of a header field's value, from left to right (RFC 9110 §5.6).
package struct FieldScanner {
  private var rest: Substring.UTF8View

  package init(_ value: String) {
    rest = value.utf8[...]
  }

  package var isAtEnd: Bool { rest.isEmpty }

  /// Takes a character if it comes next; returns whether it did.
  package mutating func scan(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  /// Takes the bytes up to the first that is not of a kind; there may be none.
  package mutating func scan(while isOfKind: (UInt8) -> Bool) -> String {
    let taken = rest.prefix(while: isOfKind)
    rest = rest[taken.endIndex...]
    return String(Substring(taken))
  }

  /// Takes optional white space (RFC 9110 §5.6.3).
  package mutating func skipBlanks() {
    rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
  }

  /// Takes a token (RFC 9110 §5.6.2); returns "" where there is none.
  package mutating func token() -> String {
    scan(while: isTokenCharacter)
  }

  /// Takes a quoted string and returns its text (RFC 9110 §5.6.4).
  ///
  /// Returns nil where there is none, or where the string does not end; then its start is taken.
  package mutating func quotedString() -> String? {
    guard scan("\"") else { return nil }
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""):
        return String(decoding: bytes, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let escaped = rest.popFirst() else { return nil }
        bytes.append(escaped)
      default:
        bytes.append(byte)
      }
    }
    return nil
  }

  /// Takes everything up to and with the next comma outside of quoted strings, or up to the end.
  package mutating func skipElement() {
    while let next = rest.first {
      if next == UInt8(ascii: "\"") {
        _ = quotedString()
      } else {
        rest.removeFirst()
        if next == UInt8(ascii: ",") { return }
      }
    }
  }
}

private func isTokenCharacter(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"):
    true
  default:
    "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }
}

/// The items of a header's list from the last to the first, without empty ones (RFC 9110 §5.6.1).
///
/// The nearest proxy has added the last item; it is read without regard to what others wrote before it.
struct ListItemsFromEnd {
  private var rest: Substring

  init(_ list: String) {
    rest = list[...]
  }

  /// Returns the item before; nil where there are no more.
  mutating func next() -> Substring? {
    while !rest.isEmpty {
      let bytes = rest.utf8
      var start = bytes.endIndex
      var isQuoted = false
      while start > bytes.startIndex {
        let byte = bytes[bytes.index(before: start)]
        if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
        if byte == UInt8(ascii: ","), !isQuoted { break }
        start = bytes.index(before: start)
      }
      let item = trimmed(rest[start...])
      rest = rest[..<start]
      if !rest.isEmpty { rest.removeLast() }
      if !item.isEmpty { return item }
    }
    return nil
  }
}

private func trimmed(_ text: Substring) -> Substring {
  func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
  var text = text.utf8.drop(while: isBlank)
  while let last = text.last, isBlank(last) { text.removeLast() }
  return Substring(text)
}
