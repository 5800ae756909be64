/// The elements of an array that is being written.
struct UnkeyedPlaceEncoder: UnkeyedEncodingContainer {
  let array: Place

  var codingPath: [any CodingKey] { array.codingPath }

  var count: Int { array.writer.draft.count(of: array) }

  func encodeNil() throws {
    guard array.writer.draft.beginElement(of: array) != nil else { throw ClosedSlot() }
    array.writer.draft.bytes.append(utf8: "null")
  }

  // Two requirements whose defaults throw, so that the generic function does not serve for them.
  func encode(_ value: Int128) throws { try element(value) }
  func encode(_ value: UInt128) throws { try element(value) }

  func encode<T: Encodable>(_ value: T) throws { try element(value) }

  private func element<T: Encodable>(_ value: T) throws {
    guard let mark = array.writer.draft.beginElement(of: array) else { throw ClosedSlot() }
    do {
      try array.writer.fill(array.writer.push(.element(mark.count), in: array.index), with: value)
    } catch {
      array.writer.draft.rollBack(array, to: mark)
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
    guard let mark = array.writer.draft.beginElement(of: array) else {
      return PlaceEncoder(place: .closed(in: array.writer))
    }
    return PlaceEncoder(place: array.writer.push(.element(mark.count), in: array.index))
  }
}
