import FusionStrictJSON

/// A decoder without a text, which notes requests and answers them by its probe's script.
struct ProbingDecoder: Decoder, SingleValueDecodingContainer {
  let probe: Probe

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let container = ProbingMembers<Key>(probe: probe)
    try probe.ask(.keyed(container.names))
    return KeyedDecodingContainer(container)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try probe.ask(.other)
    return ProbingElements(probe: probe)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    try probe.ask(.single)
    return self
  }

  func decodeNil() -> Bool { probe.ask(.other, usual: false) }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try probe.value(type) { .singleValue($0) }
  }
}

private struct ProbingMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let probe: Probe
  let keys = EnumCases.all(of: Key.self)

  /// The names of all keys; nil unless the key type is an enum with the synthesized conversion from names.
  var names: [String]? {
    keys.map { $0.map(\.stringValue) }.flatMap { names in
      names.allSatisfy { Key(stringValue: $0)?.stringValue == $0 } ? names : nil
    }
  }

  var codingPath: [any CodingKey] { [] }

  var allKeys: [Key] {
    _ = probe.ask(.allKeys, usual: true)
    guard let keys, let index = probe.script.key, keys.indices.contains(index) else { return [] }
    return [keys[index]]
  }

  func contains(_ key: Key) -> Bool {
    probe.ask(
      .contains(key.stringValue),
      usual: probe.script.missing[key.stringValue] == nil
    )
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    probe.ask(.isNull(key.stringValue), usual: false)
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try probe.value(type) { .value(key.stringValue, $0) }
  }

  // The defaults of these two requirements throw, so the generic function does not replace them.
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try probe.value(type) { .value(key.stringValue, $0) }
  }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try probe.value(type) { .value(key.stringValue, $0) }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    let container = ProbingMembers<Nested>(probe: probe)
    try probe.ask(.nested(key.stringValue, container.names))
    return KeyedDecodingContainer(container)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try probe.ask(.other)
    return ProbingElements(probe: probe)
  }

  func superDecoder() throws -> any Decoder {
    try probe.ask(.other)
    return ProbingDecoder(probe: probe)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { try superDecoder() }
}

/// An empty array, which still answers requests for elements.
private struct ProbingElements: UnkeyedDecodingContainer {
  let probe: Probe

  var codingPath: [any CodingKey] { [] }
  var count: Int? { 0 }
  var isAtEnd: Bool { true }
  private(set) var currentIndex = 0

  init(probe: Probe) { self.probe = probe }

  mutating func decodeNil() throws -> Bool { false }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    currentIndex += 1
    return try probe.value(type) { _ in .other }
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    KeyedDecodingContainer(ProbingMembers<Nested>(probe: probe))
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { self }

  mutating func superDecoder() throws -> any Decoder { ProbingDecoder(probe: probe) }
}
