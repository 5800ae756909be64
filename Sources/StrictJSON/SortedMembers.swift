/// A dictionary whose keys become member names.
///
/// Left to itself it would be written in its hash order, which differs from run to run. Found by a
/// cast of the type, so one that a type hands to its own encoder (`try dictionary.encode(to:
/// encoder)`) is not sorted.
protocol SortedMembers {
  func encodeMembers(to place: Place) throws
}

/// String and Int keys among others; the names are those that the standard library gives them.
extension Dictionary: SortedMembers where Key: CodingKeyRepresentable, Value: Encodable {
  func encodeMembers(to place: Place) throws {
    place.writer.draft.open(.object, at: place)
    let object = KeyedPlaceEncoder<PathKey>(object: place)
    let members = map { (name: $0.key.codingKey.stringValue, value: $0.value) }
    for member in members.sorted(by: { $0.name < $1.name }) {
      try object.encode(member.value, forKey: PathKey(stringValue: member.name))
    }
  }
}
