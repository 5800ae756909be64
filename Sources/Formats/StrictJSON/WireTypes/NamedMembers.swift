/// A dictionary, whose keys may be the names of an object's members.
protocol NamedMembers {
  static var haveNames: Bool { get }
}

extension Dictionary: NamedMembers {
  static var haveNames: Bool { StrictJSON.haveNames(Key.self) }
}

/// A dictionary that is written as an object, in the order of its names.
///
/// Left to itself it would be written in its hash order, which differs from run to run. Found by its
/// static type, so one that a type hands to its own encoder (`try dictionary.encode(to: encoder)`) is
/// not sorted.
protocol SortedMembers {
  func encodeMembers(to place: Place) throws
}

extension Dictionary: SortedMembers where Key: Encodable, Value: Encodable {
  func encodeMembers(to place: Place) throws {
    guard let names = MemberNames<Key>() else { return try encode(to: PlaceEncoder(place: place)) }
    place.writer.draft.open(.object, at: place)
    let object = KeyedPlaceEncoder<PathKey>(object: place)
    let members = map { (name: names.name($0.key), value: $0.value) }
    for member in members.sorted(by: { $0.name < $1.name }) {
      try object.encode(member.value, forKey: PathKey(stringValue: member.name))
    }
  }
}

/// A dictionary that is read from an object.
protocol ReadMembers: Decodable {
  /// Nil where no object stands there.
  static func readMembers(_ decoder: NodeDecoder) throws -> Self?
}

extension Dictionary: ReadMembers where Key: Decodable, Value: Decodable {
  static func readMembers(_ decoder: NodeDecoder) throws -> Self? {
    guard decoder.node.kind == .object, let names = MemberNames<Key>() else { return nil }
    var members = Self(minimumCapacity: Int(decoder.node.count))
    try decoder.forEachName { name in
      guard let key = names.key(decoder.document.text(of: name)) else {
        throw DecodingFault(decoder, .noName(name, expected: names.expected))
      }
      let value = try decoder.inner(name + 1).decode(Value.self)
      guard members.updateValue(value, forKey: key) == nil else {
        throw DecodingFault(decoder, .repeated(name: name))
      }
    }
    return members
  }
}

extension NodeDecoder {
  /// Reads a dictionary; from an array, in which keys and values alternate, only what may be stored.
  func members<T: Decodable>(_ type: T.Type) throws -> T {
    guard let members = type as? any ReadMembers.Type else { return try T(from: self) }
    if let value = try members.readMembers(self) as? T { return value }
    guard reading == .plain, node.kind == .array else { throw mismatch("an object") }
    return try T(from: self)
  }
}
