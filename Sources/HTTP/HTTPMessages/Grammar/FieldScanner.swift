/// A reader of a header field's value, from left to right (RFC 9110 §5.6).
package struct FieldScanner {
  private var rest: Substring.UTF8View

  package init(_ value: String) {
    rest = value.utf8[...]
  }

  package init(_ value: Substring) {
    rest = value.utf8
  }

  package var isAtEnd: Bool { rest.isEmpty }

  /// The number of remaining bytes.
  var count: Int { rest.count }

  /// Takes `character` if it comes next, and returns whether it did.
  package mutating func scan(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  /// Takes bytes of a kind for as long as they follow; possibly none.
  package mutating func scan(while isOfKind: (UInt8) -> Bool) -> String {
    let taken = rest.prefix(while: isOfKind)
    rest = rest[taken.endIndex...]
    return String(Substring(taken))
  }

  /// Skips optional white space (RFC 9110 §5.6.3).
  package mutating func skipBlanks() {
    rest = rest.drop(while: ByteSet.blanks.contains)
  }

  /// Takes a token (RFC 9110 §5.6.2); returns an empty string if none follows.
  package mutating func token() -> String {
    scan(while: ByteSet.token.contains)
  }

  /// Takes a quoted string and returns its content (RFC 9110 §5.6.4).
  ///
  /// Returns nil if none follows, or if it does not end; in the latter case its beginning is taken.
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

  /// Skips the rest of a list's element and the following comma; returns whether there was a comma.
  ///
  /// A comma within a quoted string does not end the element.
  @discardableResult package mutating func skipElement() -> Bool {
    while let next = rest.first {
      if next == UInt8(ascii: "\"") {
        _ = quotedString()
      } else {
        rest.removeFirst()
        if next == UInt8(ascii: ",") { return true }
      }
    }
    return false
  }
}

/// The elements of a comma-separated list, without surrounding white space and without empty elements (RFC
/// 9110 §5.6.1).
///
/// A comma within a quoted string does not separate.
package struct ListElements: Sequence, IteratorProtocol {
  private var rest: Substring

  package init(_ list: String) {
    rest = list[...]
  }

  /// Removes and returns the first element; nil if none is left.
  package mutating func next() -> Substring? {
    while !rest.isEmpty {
      var scanner = FieldScanner(rest)
      let endsInComma = scanner.skipElement()
      let element = rest.utf8.prefix(rest.utf8.count - scanner.count)
      rest = rest[element.endIndex...]
      let item = Substring(endsInComma ? element.dropLast() : element).trimmingBlanks
      if !item.isEmpty { return item }
    }
    return nil
  }

  /// Removes and returns the last element; nil if none is left.
  ///
  /// Does not read the earlier elements: the nearest proxy added the last one, but anyone may have written
  /// the others.
  package mutating func popLast() -> Substring? {
    while !rest.isEmpty {
      let bytes = rest.utf8
      var start = bytes.endIndex
      var isQuoted = false
      while start > bytes.startIndex {
        let byte = bytes[bytes.index(before: start)]
        if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
        if byte == comma, !isQuoted { break }
        start = bytes.index(before: start)
      }
      let item = rest[start...].trimmingBlanks
      rest = rest[..<start]
      if !rest.isEmpty { rest.removeLast() }
      if !item.isEmpty { return item }
    }
    return nil
  }
}

extension Substring {
  /// The text without spaces and tabs at its ends (RFC 9110 §5.6.3).
  package var trimmingBlanks: Substring {
    var text = utf8.drop(while: ByteSet.blanks.contains)
    while let last = text.last, ByteSet.blanks.contains(last) { text.removeLast() }
    return Substring(text)
  }
}

private let comma = UInt8(ascii: ",")
