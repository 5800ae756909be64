/// Reads one JSON text into a flat list of nodes (RFC 8259), checking all of it.
///
/// It does not recurse: an open container's node remembers the one around it until it is closed. So
/// no input, however deeply nested, needs more stack than another.
struct JSONParser {
  /// Section 9 lets a reader limit the nesting; 64 is more than any state or input here has.
  static let maximalDepth = 64

  var bytes: [UInt8]
  let end: Int
  var position = 0
  var nodes: [JSONNode] = []
  var tables: [UInt32] = []
  private var innermost: Int?
  private var depth = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    end = bytes.count
  }

  /// Section 2: `JSON-text = ws value ws`.
  mutating func parse() throws(JSONError) {
    // Node fields are 32 bits wide and unescaped texts may double the bytes.
    guard end < Int(Int32.max) else { throw fault("the text is larger than 2 GiB", at: 0) }
    nodes.reserveCapacity(end / 8 + 4)
    // Section 8.1 lets a reader refuse a byte order mark.
    if end >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
      throw fault("a byte order mark is not allowed", at: 0)
    }
    skipWhitespace()
    guard position < end else { throw fault("the text holds no JSON value", at: position) }
    repeat { try value() } while try isValueDue()
    guard position == end else { throw fault("text after the value", at: position) }
  }

  /// Goes on behind a value or an opening bracket to where the next value begins; false at the end.
  private mutating func isValueDue() throws(JSONError) -> Bool {
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
          throw fault(isObject ? "expected ',' or '}'" : "expected ',' or ']'", at: position)
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
    default: throw fault("expected a value", at: position)
    }
  }

  private mutating func open(_ kind: JSONNode.Kind) throws(JSONError) {
    depth += 1
    guard depth <= Self.maximalDepth else {
      throw fault("nested deeper than \(Self.maximalDepth) levels", at: position)
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
      try refuseDuplicates(in: container)
    }
    innermost = outer == 0 ? nil : outer - 1
    depth -= 1
  }

  /// Section 4: `member = string name-separator value`.
  private mutating func memberName() throws(JSONError) {
    guard position < end else { throw unexpectedEnd() }
    guard bytes[position] == UInt8(ascii: "\"") else {
      throw fault("expected a member name in double quotes", at: position)
    }
    try string()
    skipWhitespace()
    guard position < end else { throw unexpectedEnd() }
    guard bytes[position] == UInt8(ascii: ":") else {
      throw fault("expected ':' after the member name", at: position)
    }
    position += 1
    skipWhitespace()
  }

  /// Section 3: the three names are lower case.
  private mutating func literal(
    _ name: StaticString,
    _ kind: JSONNode.Kind,
    _ flag: Bool
  ) throws(JSONError) {
    let start = position
    let isWhole = name.withUTF8Buffer { letters in
      // Guard: a static string lives for ever; the loop stays within the buffer and the source.
      for letter in letters {
        guard position < end, bytes[position] == letter else { return false }
        position += 1
      }
      return true
    }
    guard isWhole else {
      throw position < end ? fault("expected a value", at: start) : unexpectedEnd()
    }
    nodes.append(JSONNode(kind: kind, flag: flag, start: UInt32(start), link: 0, count: 0))
  }

  /// Section 2: space, tab, line feed, carriage return and nothing else.
  private mutating func skipWhitespace() {
    while position < end {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  func unexpectedEnd() -> JSONError { fault("the text ends too early", at: end) }

  func fault(_ reason: String, at offset: Int) -> JSONError {
    JSONError(syntax: reason, at: offset, in: bytes[..<end])
  }
}
