/// The `Encoder` of one place, which is also its single value container.
///
/// A second request for the same kind of container returns the first one, so that a type may add another's
/// members to its own.
struct PlaceEncoder: Encoder, SingleValueEncodingContainer {
  let place: Place

  var codingPath: [any CodingKey] { place.codingPath }

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    place.writer.buffer.open(.object, at: place)
    return KeyedEncodingContainer(KeyedPlaceEncoder<Key>(object: place))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    place.writer.buffer.open(.array, at: place)
    return UnkeyedPlaceEncoder(array: place)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension PlaceEncoder {
  func encode<T: Encodable>(_ value: T) throws { try place.writer.encode(value, to: place) }

  func encodeNil() throws { try scalar { $0.append(utf8: "null") } }

  func encode(_ value: Bool) throws { try scalar { $0.appendBool(value) } }

  func encode(_ value: String) throws { try scalar { $0.appendLiteral(value) } }

  func encode(_ value: Double) throws { try floatingPoint(value) }
  func encode(_ value: Float) throws { try floatingPoint(value) }
  func encode(_ value: Int) throws { try integer(value) }
  func encode(_ value: Int8) throws { try integer(value) }
  func encode(_ value: Int16) throws { try integer(value) }
  func encode(_ value: Int32) throws { try integer(value) }
  func encode(_ value: Int64) throws { try integer(value) }
  func encode(_ value: Int128) throws { try integer(value) }
  func encode(_ value: UInt) throws { try integer(value) }
  func encode(_ value: UInt8) throws { try integer(value) }
  func encode(_ value: UInt16) throws { try integer(value) }
  func encode(_ value: UInt32) throws { try integer(value) }
  func encode(_ value: UInt64) throws { try integer(value) }
  func encode(_ value: UInt128) throws { try integer(value) }

  private func integer(_ value: some FixedWidthInteger) throws {
    try scalar { $0.appendInteger(value) }
  }

  private func floatingPoint(_ value: some BinaryFloatingPoint & LosslessStringConvertible) throws {
    try value.requireFinite(at: place.codingPath)
    try scalar { $0.appendFinite(value) }
  }

  /// Writes a number; `append` appends its digits.
  func number(_ append: (inout [UInt8]) -> Void) throws { try scalar(append) }

  private func scalar(_ append: (inout [UInt8]) -> Void) throws {
    guard place.writer.buffer.writeScalar(at: place, append) else {
      throw place.writer.buffer.misuse ?? ClosedPlaceError() as any Error
    }
  }
}

extension BinaryFloatingPoint {
  /// Throws for infinities and NaN, which RFC 8259 section 6 excludes.
  func requireFinite(at path: @autoclosure () -> [any CodingKey]) throws {
    guard isFinite else {
      throw EncodingError.invalid(self, "JSON has finite numbers only", at: path())
    }
  }
}

/// The unkeyed container of an array that is being written.
struct UnkeyedPlaceEncoder: UnkeyedEncodingContainer {
  let array: Place

  var codingPath: [any CodingKey] { array.codingPath }

  var count: Int { array.writer.buffer.count(of: array) }

  func encodeNil() throws {
    guard array.writer.buffer.beginElement(of: array) != nil else { throw ClosedPlaceError() }
    array.writer.buffer.bytes.append(utf8: "null")
  }

  // The defaults of these two requirements throw, so the generic function does not replace them.
  func encode(_ value: Int128) throws { try element(value) }
  func encode(_ value: UInt128) throws { try element(value) }

  func encode<T: Encodable>(_ value: T) throws { try element(value) }

  private func element<T: Encodable>(_ value: T) throws {
    guard let savepoint = array.writer.buffer.beginElement(of: array) else {
      throw ClosedPlaceError()
    }
    do {
      let place = array.writer.push(.element(savepoint.count), in: array.index)
      try array.writer.encode(value, to: place)
    } catch {
      array.writer.buffer.rollBack(array, to: savepoint)
      throw error
    }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    nextEncoder().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    nextEncoder().unkeyedContainer()
  }

  func superEncoder() -> any Encoder { nextEncoder() }

  private func nextEncoder() -> PlaceEncoder {
    guard let savepoint = array.writer.buffer.beginElement(of: array) else {
      return PlaceEncoder(place: .closed(in: array.writer))
    }
    return PlaceEncoder(place: array.writer.push(.element(savepoint.count), in: array.index))
  }
}
