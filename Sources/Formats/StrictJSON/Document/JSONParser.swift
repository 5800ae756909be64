/// A parser of one JSON text (RFC 8259) into a flat list of nodes.
///
/// The parser does not recurse: the node of an open container refers to the enclosing one. The stack's depth
/// therefore does not depend on the text.
struct JSONParser {
  /// The maximum nesting depth, which section 9 lets a reader limit.
  static let maximalDepth = 64

  var bytes: [UInt8]
  let end: Int
  var position = 0
  var nodes: [JSONNode] = []
  var tables: [UInt32] = []
  private var innermost: Int?
  private var depth = 0
  private let limit: Int

  init(_ bytes: [UInt8], limit: Int) {
    self.bytes = bytes
    self.limit = limit
    end = bytes.count
  }

  /// Parses `JSON-text = ws value ws` (section 2).
  mutating func parse() throws(JSONError) {
    // Node fields have 32 bits, and unescaped texts may double the bytes.
    guard end < Int(Int32.max) else { throw error("the text is larger than 2 GiB", at: 0) }
    nodes.reserveCapacity(end / 8 + 4)
    // Section 8.1 lets a reader refuse a byte order mark.
    if end >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
      throw error("a byte order mark is not allowed", at: 0)
    }
    skipWhitespace()
    guard position < end else { throw error("the text holds no JSON value", at: position) }
    repeat { try value() } while try advanceToNextValue()
    guard position == end else { throw error("text after the value", at: position) }
  }

  /// Moves from a value or an opening bracket to the next value; returns false at the text's end.
  private mutating func advanceToNextValue() throws(JSONError) -> Bool {
    while true {
      skipWhitespace()
      guard let container = innermost else { return false }
      guard position < end else { throw unexpectedEnd() }
      let isObject = nodes[container].kind == .object
      let byte = bytes[position]
      if byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
        position += 1
        try close(container)
        continue
      }
      if nodes[container].count > 0 {
        guard byte == UInt8(ascii: ",") else {
          throw error(isObject ? "expected ',' or '}'" : "expected ',' or ']'", at: position)
        }
        position += 1
        skipWhitespace()
      }
      nodes[container].count += 1
      if isObject { try memberName() }
      return true
    }
  }

  private mutating func value() throws(JSONError) {
    guard position < end else { throw unexpectedEnd() }
    switch bytes[position] {
    case UInt8(ascii: "\""): try string()
    case UInt8(ascii: "{"): try open(.object)
    case UInt8(ascii: "["): try open(.array)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
    case UInt8(ascii: "t"): try literal("true", .bool, true)
    case UInt8(ascii: "f"): try literal("false", .bool, false)
    case UInt8(ascii: "n"): try literal("null", .null, false)
    default: throw error("expected a value", at: position)
    }
  }

  private mutating func open(_ kind: JSONNode.Kind) throws(JSONError) {
    depth += 1
    guard depth <= limit else {
      throw error("nested deeper than \(limit) levels", at: position)
    }
    let outer = UInt32(innermost.map { $0 + 1 } ?? 0)
    innermost = nodes.count
    nodes.append(
      JSONNode(kind: kind, flag: false, start: UInt32(position), link: outer, count: 0)
    )
    position += 1
  }

  private mutating func close(_ container: Int) throws(JSONError) {
    let outer = Int(nodes[container].link)
    nodes[container].link = UInt32(nodes.count)
    if nodes[container].kind == .object, nodes[container].count > 1 {
      try checkNamesAreUnique(in: container)
    }
    innermost = outer == 0 ? nil : outer - 1
    depth -= 1
  }

  /// Parses the name and the colon of `member = string name-separator value` (section 4).
  private mutating func memberName() throws(JSONError) {
    guard position < end else { throw unexpectedEnd() }
    guard bytes[position] == UInt8(ascii: "\"") else {
      throw error("expected a member name in double quotes", at: position)
    }
    try string()
    skipWhitespace()
    guard position < end else { throw unexpectedEnd() }
    guard bytes[position] == UInt8(ascii: ":") else {
      throw error("expected ':' after the member name", at: position)
    }
    position += 1
    skipWhitespace()
  }

  /// Parses `true`, `false` or `null` (section 3).
  private mutating func literal(
    _ name: StaticString,
    _ kind: JSONNode.Kind,
    _ flag: Bool
  ) throws(JSONError) {
    let start = position
    let isWhole = name.withUTF8Buffer { letters in
      // Guard: a static string is never freed, and the loop checks `end`.
      for letter in letters {
        guard position < end, bytes[position] == letter else { return false }
        position += 1
      }
      return true
    }
    guard isWhole else {
      throw position < end ? error("expected a value", at: start) : unexpectedEnd()
    }
    nodes.append(JSONNode(kind: kind, flag: flag, start: UInt32(start), link: 0, count: 0))
  }

  /// Skips space, tab, line feed and carriage return (section 2).
  private mutating func skipWhitespace() {
    while position < end {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }
}

extension JSONParser {
  /// Parses `number = [ minus ] int [ frac ] [ exp ]` (section 6).
  ///
  /// The value is decoded when a type asks for it: only the type tells its width.
  mutating func number() throws(JSONError) {
    let start = position
    if bytes[position] == UInt8(ascii: "-") { position += 1 }
    if position < end, bytes[position] == UInt8(ascii: "0") {
      position += 1
      if position < end, isDigit(bytes[position]) {
        throw error("a number does not begin with 0", at: start)
      }
    } else {
      try digits()
    }
    if position < end, bytes[position] == UInt8(ascii: ".") {
      position += 1
      try digits()
    }
    if position < end, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < end,
        bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-")
      {
        position += 1
      }
      try digits()
    }
    nodes.append(
      JSONNode(
        kind: .number,
        flag: false,
        start: UInt32(start),
        link: UInt32(start),
        count: UInt32(position - start)
      )
    )
  }

  private mutating func digits() throws(JSONError) {
    let start = position
    while position < end, isDigit(bytes[position]) { position += 1 }
    guard position == start else { return }
    throw position < end ? error("expected a digit", at: position) : unexpectedEnd()
  }

  private func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }

  func unexpectedEnd() -> JSONError { error("the text ends too early", at: end) }

  func error(_ reason: String, at offset: Int) -> JSONError {
    JSONError(syntax: reason, at: offset, in: bytes[..<end])
  }
}

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
