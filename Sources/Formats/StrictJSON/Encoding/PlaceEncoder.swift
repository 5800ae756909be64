/// The `Encoder` of one place, and its own single value container.
///
/// Asked twice for the same kind of container it gives the same one, so a type may add the members
/// of another to its own.
struct PlaceEncoder: Encoder, SingleValueEncodingContainer {
  let place: Place

  var codingPath: [any CodingKey] { place.codingPath }

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    place.writer.draft.open(.object, at: place)
    return KeyedEncodingContainer(KeyedPlaceEncoder<Key>(object: place))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    place.writer.draft.open(.array, at: place)
    return UnkeyedPlaceEncoder(array: place)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension PlaceEncoder {
  func encode<T: Encodable>(_ value: T) throws { try place.writer.fill(place, with: value) }

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

  /// Writes a number by its digits.
  func number(_ append: (inout [UInt8]) -> Void) throws { try scalar(append) }

  private func scalar(_ append: (inout [UInt8]) -> Void) throws {
    guard place.writer.draft.writeScalar(at: place, append) else {
      throw place.writer.draft.misuse ?? ClosedSlot() as any Error
    }
  }
}

extension BinaryFloatingPoint {
  /// RFC 8259 section 6: infinities and NaN cannot be written.
  func requireFinite(at path: @autoclosure () -> [any CodingKey]) throws {
    guard isFinite else {
      throw EncodingError.invalid(self, "JSON has finite numbers only", at: path())
    }
  }
}
