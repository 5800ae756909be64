/// The keyed container of an object that is being written.
struct KeyedPlaceEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let object: Place
  /// Whether keys are no cases of an enum.
  private let isFree = !EnumCases.isEnum(Key.self)

  init(object: Place) { self.object = object }

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
    // Checked before the name is written, since the type may catch the error and continue.
    try value.requireFinite(at: object.codingPath + [key])
    try scalar(key) { $0.appendFinite(value) }
  }

  // The defaults of these two requirements throw, so the generic function does not replace them.
  func encode(_ value: Int128, forKey key: Key) throws {
    try scalar(key) { $0.appendInteger(value) }
  }
  func encode(_ value: UInt128, forKey key: Key) throws {
    try scalar(key) { $0.appendInteger(value) }
  }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    let key = MemberKey(name: key.stringValue, isFree: isFree)
    guard let savepoint = object.writer.buffer.beginMember(key, of: object) else {
      throw ClosedPlaceError()
    }
    do {
      try object.writer.encode(value, to: object.writer.push(.member(key.name), in: object.index))
    } catch {
      object.writer.buffer.rollBack(object, to: savepoint)
      if !(error is MemberLeftOut) { throw error }
    }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoder(of: key.stringValue, .object, isNested: true).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder(of: key.stringValue, .array).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder(of: "super") }

  func superEncoder(forKey key: Key) -> any Encoder { encoder(of: key.stringValue) }

  /// Returns the encoder of a member: an earlier one if that holds `content`, else a new one.
  private func encoder(
    of name: String,
    _ content: Frame.Content = .none,
    isNested: Bool = false
  ) -> PlaceEncoder {
    if content != .none,
      let place = object.writer.buffer.container(name, of: object, as: content)
    {
      return PlaceEncoder(place: place)
    }
    let key = MemberKey(name: name, isFree: isFree)
    guard object.writer.buffer.beginMember(key, of: object) != nil else {
      return PlaceEncoder(place: .closed(in: object.writer))
    }
    return PlaceEncoder(
      place: object.writer.push(.member(name), in: object.index, isNested: isNested)
    )
  }

  private func scalar(_ key: Key, _ append: (inout [UInt8]) -> Void) throws {
    let key = MemberKey(name: key.stringValue, isFree: isFree)
    guard object.writer.buffer.writeMember(key, of: object, append) else {
      throw ClosedPlaceError()
    }
  }
}

// `nil` is written as `null`, so that a client always finds every member. Each overload is spelled out: the
// generic one alone does not replace the standard library's defaults, which omit the member.
extension KeyedPlaceEncoder {
  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
    try encodeAny(value, key)
  }

  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try orNull(value, key, encode) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { try orNull(value, key, encode) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try orNull(value, key, encode) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try orNull(value, key, encode) }
  func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { try orNull(value, key, encode) }
  func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { try orNull(value, key, encode) }

  // These types have no overload of `encode`.
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try encodeAny(value, key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try encodeAny(value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try encodeAny(value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try encodeAny(value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try encodeAny(value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try encodeAny(value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try encodeAny(value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try encodeAny(value, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try encodeAny(value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try encodeAny(value, key) }

  private func orNull<T>(_ value: T?, _ key: Key, _ encode: (T, Key) throws -> Void) throws {
    if let value { try encode(value, key) } else { try encodeNil(forKey: key) }
  }

  private func encodeAny<T: Encodable>(_ value: T?, _ key: Key) throws {
    guard let value else {
      // Whether a private value is nil is private, too.
      guard TypeKinds.kind(of: T.self) == .storedOnly else { return try encodeNil(forKey: key) }
      return try encode(value, forKey: key)
    }
    try encode(value, forKey: key)
  }
}
