extension [UInt8] {
  /// Appends a string with as few escapes as RFC 8259 section 7 demands.
  ///
  /// These are `"`, `\` and the control characters; all else, U+2028 and U+2029 included, stays
  /// UTF-8.
  mutating func appendLiteral(_ text: String) {
    append(UInt8(ascii: "\""))
    // Nearly always there is nothing to escape.
    let isPlain = text.utf8.withContiguousStorageIfAvailable { bytes in
      guard !Self.holdEscapes(bytes) else { return false }
      append(contentsOf: bytes)
      return true
    }
    if isPlain != true { for byte in text.utf8 { appendEscaped(byte) } }
    append(UInt8(ascii: "\""))
  }

  /// Appends a text as it is; at once, where `text.utf8` as a collection takes several steps.
  package mutating func append(utf8 text: String) {
    let isDone: Void? = text.utf8.withContiguousStorageIfAvailable { append(contentsOf: $0) }
    if isDone == nil { append(contentsOf: text.utf8) }
  }

  /// Looks at eight bytes at once, each of which leaves its highest bit set in a word if it is one to
  /// be escaped; a borrow may set that of a later one, but only behind one that is.
  private static func holdEscapes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let (quotes, strokes) = (ones &* UInt64(UInt8(ascii: "\"")), ones &* UInt64(UInt8(ascii: "\\")))
    let raw = UnsafeRawBufferPointer(bytes)
    var index = 0
    while index + 8 <= raw.count {
      // Guard: the loop ends before the last whole word does.
      let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let (quote, stroke) = (word ^ quotes, word ^ strokes)
      let found =
        (word &- ones &* 0x20) & ~word | (quote &- ones) & ~quote | (stroke &- ones) & ~stroke
      if found & (ones &* 0x80) != 0 { return true }
      index += 8
    }
    while index < bytes.count {
      if mustBeEscaped(bytes[index]) { return true }
      index += 1
    }
    return false
  }

  private static func mustBeEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    guard Self.mustBeEscaped(byte) else {
      append(byte)
      return
    }
    append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: append(UInt8(ascii: "b"))
    case 0x09: append(UInt8(ascii: "t"))
    case 0x0A: append(UInt8(ascii: "n"))
    case 0x0C: append(UInt8(ascii: "f"))
    case 0x0D: append(UInt8(ascii: "r"))
    case 0..<0x20:
      append(contentsOf: byte < 0x10 ? "u000".utf8 : "u001".utf8)
      let digit = byte & 0x0F
      append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
    default: append(byte)
    }
  }

  mutating func appendBool(_ value: Bool) {
    append(utf8: value ? "true" : "false")
  }

  mutating func appendInteger(_ value: some FixedWidthInteger) {
    if value < 0 { append(UInt8(ascii: "-")) }
    var (rest, low) = (value.magnitude, count)
    repeat {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    // They came from the lowest up.
    var high = count - 1
    while low < high {
      swapAt(low, high)
      low += 1
      high -= 1
    }
  }

  /// The fewest digits that read back as the same value, in the shortest form that section 6
  /// allows: `3` for 3.0, `1e16` for 1e+16, `-0` for the negative zero.
  mutating func appendFinite(_ value: some BinaryFloatingPoint & LosslessStringConvertible) {
    var digits = value.description.utf8[...]
    if digits.suffix(2).elementsEqual(".0".utf8) { digits.removeLast(2) }
    guard let exponent = digits.firstIndex(of: UInt8(ascii: "e")) else {
      append(contentsOf: digits)
      return
    }
    append(contentsOf: digits[...exponent])
    // Swift writes a sign and two digits at least.
    digits = digits[exponent...].dropFirst()
    if digits.popFirst() == UInt8(ascii: "-") { append(UInt8(ascii: "-")) }
    append(contentsOf: digits.drop { $0 == UInt8(ascii: "0") })
  }
}
