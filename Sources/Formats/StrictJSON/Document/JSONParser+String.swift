extension JSONParser {
  /// Parses a string (section 7); without escapes, its node points into the source.
  mutating func string() throws(JSONError) {
    let start = position
    var isASCII = true
    position += 1
    while position < end {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        add(start: start, text: start + 1..<position, isASCII: isASCII)
        position += 1
        return
      }
      if byte == UInt8(ascii: "\\") { return try escapedString(from: start) }
      if byte < 0x20 { throw controlCharacter() }
      if byte < 0x80 {
        position += 1
      } else {
        isASCII = false
        position += try scalarLength()
      }
    }
    throw error("the string that begins here does not end", at: start)
  }

  /// Parses the rest from the first backslash; appends the unescaped text to the source.
  private mutating func escapedString(from start: Int) throws(JSONError) {
    let first = bytes.count
    for index in start + 1..<position { bytes.append(bytes[index]) }
    while position < end {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        let text = first..<bytes.count
        add(start: start, text: text, isASCII: bytes[text].allSatisfy { $0 < 0x80 })
        position += 1
        return
      case UInt8(ascii: "\\"): try escape()
      case 0..<0x20: throw controlCharacter()
      case 0x20..<0x80:
        bytes.append(byte)
        position += 1
      default:
        for _ in 0..<(try scalarLength()) {
          bytes.append(bytes[position])
          position += 1
        }
      }
    }
    throw error("the string that begins here does not end", at: start)
  }

  private mutating func escape() throws(JSONError) {
    let start = position
    position += 1
    guard position < end else { throw unexpectedEnd() }
    let letter = bytes[position]
    position += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(letter)
    case UInt8(ascii: "b"): bytes.append(0x08)
    case UInt8(ascii: "f"): bytes.append(0x0C)
    case UInt8(ascii: "n"): bytes.append(0x0A)
    case UInt8(ascii: "r"): bytes.append(0x0D)
    case UInt8(ascii: "t"): bytes.append(0x09)
    case UInt8(ascii: "u"): try appendScalar(escapedAt: start)
    default: throw error("no such escape in a string", at: start)
    }
  }

  /// Parses `\uXXXX`, or the pair of them that stands for a scalar above U+FFFF (section 7).
  ///
  /// A lone surrogate is refused: section 8.2 calls the outcome unpredictable.
  private mutating func appendScalar(escapedAt start: Int) throws(JSONError) {
    var code = try fourHexDigits()
    if (0xD800..<0xDC00).contains(code), position + 1 < end,
      bytes[position] == UInt8(ascii: "\\"), bytes[position + 1] == UInt8(ascii: "u")
    {
      position += 2
      let low = try fourHexDigits()
      guard (0xDC00..<0xE000).contains(low) else { throw loneSurrogate(at: start) }
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code) else { throw loneSurrogate(at: start) }
    bytes.append(contentsOf: String(scalar).utf8)
  }

  private mutating func fourHexDigits() throws(JSONError) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard position < end else { throw unexpectedEnd() }
      let byte = bytes[position]
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: throw error("expected four hexadecimal digits after \\u", at: position)
      }
      code = code << 4 | UInt32(digit)
      position += 1
    }
    return code
  }

  /// Returns the length of the UTF-8 sequence at the position.
  ///
  /// Throws unless the sequence is well-formed (Unicode table 3-7, RFC 3629 section 4): no overlong form,
  /// no surrogate, nothing above U+10FFFF.
  private func scalarLength() throws(JSONError) -> Int {
    let second: ClosedRange<UInt8>
    let length: Int
    switch bytes[position] {
    case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xE1...0xEC, 0xEE...0xEF: (length, second) = (3, 0x80...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: throw error("not UTF-8", at: position)
    }
    guard position + length <= end, second.contains(bytes[position + 1]) else {
      throw error("not UTF-8", at: position)
    }
    for index in position + 2..<position + length where bytes[index] & 0xC0 != 0x80 {
      throw error("not UTF-8", at: position)
    }
    return length
  }

  private mutating func add(start: Int, text: Range<Int>, isASCII: Bool) {
    nodes.append(
      JSONNode(
        kind: .string,
        flag: isASCII,
        start: UInt32(start),
        link: UInt32(text.lowerBound),
        count: UInt32(text.count)
      )
    )
  }

  private func controlCharacter() -> JSONError {
    error("a control character in a string must be escaped", at: position)
  }

  private func loneSurrogate(at offset: Int) -> JSONError {
    error("a surrogate without its partner", at: offset)
  }
}
