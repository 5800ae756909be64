/// The members of an object that is being written.
struct KeyedPlaceEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let object: Place

  var codingPath: [any CodingKey] { object.codingPath }

  func encodeNil(forKey key: Key) throws {
    try scalar(key) { $0.append(utf8: "null") }
  }

  func encode(_ value: Bool, forKey key: Key) throws {
    try scalar(key) { $0.appendBool(value) }
  }

  func encode(_ value: String, forKey key: Key) throws {
    try scalar(key) { $0.appendLiteral(value) }
  }

  func encode(_ value: Int, forKey key: Key) throws {
    try scalar(key) { $0.appendInteger(value) }
  }

  func encode(_ value: Double, forKey key: Key) throws {
    // Before the name is written, since the type may catch this and go on.
    try value.requireFinite(at: object.codingPath + [key])
    try scalar(key) { $0.appendFinite(value) }
  }

  // Two requirements whose defaults throw, so that the generic function does not serve for them.
  func encode(_ value: Int128, forKey key: Key) throws {
    try scalar(key) { $0.appendInteger(value) }
  }
  func encode(_ value: UInt128, forKey key: Key) throws {
    try scalar(key) { $0.appendInteger(value) }
  }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    let name = key.stringValue
    guard let mark = object.writer.draft.beginMember(name, of: object) else { throw ClosedSlot() }
    do {
      try object.writer.fill(object.writer.push(.member(name), in: object.index), with: value)
    } catch {
      object.writer.draft.rollBack(object, to: mark)
      throw error
    }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoder(of: key.stringValue, isNested: true).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder(of: key.stringValue).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder(of: "super") }

  func superEncoder(forKey key: Key) -> any Encoder { encoder(of: key.stringValue) }

  private func encoder(of name: String, isNested: Bool = false) -> PlaceEncoder {
    guard object.writer.draft.beginMember(name, of: object) != nil else {
      return PlaceEncoder(place: .closed(in: object.writer))
    }
    return PlaceEncoder(
      place: object.writer.push(.member(name), in: object.index, isNested: isNested)
    )
  }

  private func scalar(_ key: Key, _ append: (inout [UInt8]) -> Void) throws {
    let name = key.stringValue
    guard object.writer.draft.writeMember(name, of: object, append) else { throw ClosedSlot() }
  }
}
