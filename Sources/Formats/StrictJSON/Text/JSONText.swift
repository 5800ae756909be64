import UIFusionKit

extension [UInt8] {
  /// Appends a string literal with the escapes that RFC 8259 section 7 demands, and those of other text controls.
  ///
  /// All other characters stay UTF-8.
  package mutating func appendLiteral(_ text: String) {
    append(UInt8(ascii: "\""))
    // Fast path: few strings need an escape.
    let isPlain = text.utf8.withContiguousStorageIfAvailable { bytes in
      guard !Self.holdEscapes(bytes) else { return false }
      append(contentsOf: bytes)
      return true
    }
    if isPlain != true { for scalar in text.unicodeScalars { appendEscaped(scalar) } }
    append(UInt8(ascii: "\""))
  }

  /// Appends the UTF-8 of a text, in one copy if its storage is contiguous.
  package mutating func append(utf8 text: String) {
    let isDone: Void? = text.utf8.withContiguousStorageIfAvailable { append(contentsOf: $0) }
    if isDone == nil { append(contentsOf: text.utf8) }
  }

  /// Returns whether any character needs an escape, testing eight bytes at a time.
  ///
  /// Each ASCII byte that needs an escape sets its highest bit in the test word. A borrow can set the bit of a
  /// later byte, but only after one that needs an escape, so the result is right.
  private static func holdEscapes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = ones &* UInt64(UInt8(ascii: "\""))
    let backslashes = ones &* UInt64(UInt8(ascii: "\\"))
    let raw = UnsafeRawBufferPointer(bytes)
    var index = 0
    while index + 8 <= raw.count {
      // Guard: the loop condition leaves eight bytes at `index`.
      let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let (quote, backslash) = (word ^ quotes, word ^ backslashes)
      let found =
        (word &- ones &* 0x20) & ~word | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash
      if found & (ones &* 0x80) != 0 { return true }
      // DEL, and what is not ASCII.
      if (word | word &+ ones) & (ones &* 0x80) != 0 {
        for place in index..<index + 8 where holdsTextControl(bytes, at: place) { return true }
      }
      index += 8
    }
    while index < bytes.count {
      if mustBeEscaped(bytes[index]) || holdsTextControl(bytes, at: index) { return true }
      index += 1
    }
    return false
  }

  private static func mustBeEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  /// Returns whether DEL, or a text control that is not ASCII, begins at an index of UTF-8.
  private static func holdsTextControl(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    let byte = bytes[index]
    guard byte != 0x7F else { return true }
    // The first bytes of all others, of which E2 begins three.
    guard byte == 0xC2 || byte == 0xD8 || byte == 0xE2 else { return false }
    let first = UInt32(byte & (byte == 0xE2 ? 0x0F : 0x1F))
    let value = bytes[(index + 1)...].prefix(byte == 0xE2 ? 2 : 1).reduce(first) { value, next in
      value << 6 | UInt32(next & 0x3F)
    }
    return Unicode.Scalar(value)?.isTextControl == true
  }

  private mutating func appendEscaped(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"", "\\": appendEscape(scalar)
    case "\u{8}": appendEscape("b")
    case "\t": appendEscape("t")
    case "\n": appendEscape("n")
    case "\u{C}": appendEscape("f")
    case "\r": appendEscape("r")
    case _ where scalar.isTextControl: append(utf8: scalar.escapeOfTextControl)
    case _ where scalar.isASCII: append(UInt8(ascii: scalar))
    default: append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
  }

  private mutating func appendEscape(_ letter: Unicode.Scalar) {
    append(UInt8(ascii: "\\"))
    append(UInt8(ascii: letter))
  }

  mutating func appendBool(_ value: Bool) {
    append(utf8: value ? "true" : "false")
  }

  // For other modules, which cannot specialize the generic function below.
  package mutating func appendInteger(_ value: Int) { appendInteger(Int64(value)) }

  mutating func appendInteger(_ value: some FixedWidthInteger) {
    if value < 0 { append(UInt8(ascii: "-")) }
    var (rest, low) = (value.magnitude, count)
    repeat {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    // The loop wrote the lowest digit first.
    var high = count - 1
    while low < high {
      swapAt(low, high)
      low += 1
      high -= 1
    }
  }

  /// Appends the fewest digits that give the same value when read, in the shortest form that RFC 8259 section
  /// 6 allows: `3` for 3.0, `1e16` for 1e+16, `-0` for negative zero.
  mutating func appendFinite(_ value: some BinaryFloatingPoint & LosslessStringConvertible) {
    var digits = value.description.utf8[...]
    if digits.suffix(2).elementsEqual(".0".utf8) { digits.removeLast(2) }
    guard let exponent = digits.firstIndex(of: UInt8(ascii: "e")) else {
      append(contentsOf: digits)
      return
    }
    append(contentsOf: digits[...exponent])
    // Swift's description has a sign and at least two digits in the exponent.
    digits = digits[exponent...].dropFirst()
    if digits.popFirst() == UInt8(ascii: "-") { append(UInt8(ascii: "-")) }
    append(contentsOf: digits.drop { $0 == UInt8(ascii: "0") })
  }

  /// Appends an array; `append` writes one element.
  package mutating func appendArray<Value>(
    _ elements: some Sequence<Value>,
    _ append: (Value, inout [UInt8]) -> Void
  ) {
    self.append(UInt8(ascii: "["))
    var isFirst = true
    for element in elements {
      if !isFirst { self.append(UInt8(ascii: ",")) }
      isFirst = false
      append(element, &self)
    }
    self.append(UInt8(ascii: "]"))
  }

  /// Appends an object; `append` writes one member's value.
  package mutating func appendObject<Value>(
    _ members: some Sequence<(name: String, value: Value)>,
    _ append: (Value, inout [UInt8]) -> Void
  ) {
    self.append(UInt8(ascii: "{"))
    var isFirst = true
    for member in members {
      if !isFirst { self.append(UInt8(ascii: ",")) }
      isFirst = false
      appendLiteral(member.name)
      self.append(UInt8(ascii: ":"))
      append(member.value, &self)
    }
    self.append(UInt8(ascii: "}"))
  }
}
