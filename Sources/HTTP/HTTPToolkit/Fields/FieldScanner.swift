/// Reads a header field's value from left to right (RFC 9110 §5.6).
struct FieldScanner {
  private var rest: Substring.UTF8View

  init(_ value: String) {
    rest = value.utf8[...]
  }

  var isAtEnd: Bool { rest.isEmpty }

  /// Takes this character, if it is what comes next.
  mutating func scan(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  /// Takes bytes for as long as they are of a kind; there may be none.
  mutating func scan(while isOfKind: (UInt8) -> Bool) -> String {
    let taken = rest.prefix(while: isOfKind)
    rest = rest[taken.endIndex...]
    return String(Substring(taken))
  }

  /// Optional white space (RFC 9110 §5.6.3).
  mutating func skipBlanks() {
    rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
  }

  /// A token (RFC 9110 §5.6.2), empty where there is none.
  mutating func token() -> String {
    scan(while: isTokenCharacter)
  }

  /// What a quoted string says (RFC 9110 §5.6.4).
  ///
  /// Nil where there is none, or it does not end; then its start is taken.
  mutating func quotedString() -> String? {
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

  /// Goes to behind the next comma that stands in no quoted string, or to the end.
  mutating func skipElement() {
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
