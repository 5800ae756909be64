/// The unkeyed container of an array.
struct UnkeyedNodeDecoder: UnkeyedDecodingContainer {
  private let array: NodeDecoder
  private var next: Int
  private(set) var currentIndex = 0

  init(_ decoder: NodeDecoder) throws {
    guard decoder.node.kind == .array else { throw decoder.mismatch("an array") }
    array = decoder
    next = decoder.index + 1
  }

  var codingPath: [any CodingKey] { array.codingPath }

  var count: Int? { Int(array.node.count) }

  var isAtEnd: Bool { currentIndex == Int(array.node.count) }

  mutating func decodeNil() throws -> Bool {
    guard try current().decodeNil() else { return false }
    advance()
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try element(type) }

  private mutating func element<T: Decodable>(_ type: T.Type) throws -> T {
    let value = try current().decode(type)
    // Only after a success: a type may try several forms of one element.
    advance()
    return value
  }

  // The defaults of these two requirements throw, so the generic function does not replace them.
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try element(type) }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try element(type) }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    let container = try current().container(keyedBy: type)
    advance()
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try current().unkeyedContainer()
    advance()
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try current()
    advance()
    return decoder
  }

  private func current() throws -> NodeDecoder {
    guard !isAtEnd else { throw DecodingFault(array, .missing(String(currentIndex))) }
    return array.inner(next)
  }

  private mutating func advance() {
    next = array.document.indexAfter(next)
    currentIndex += 1
  }
}
