extension NodeDecoder {
  /// Calls a function with the index of each member's name, in order.
  func forEachName(_ body: (Int) throws -> Void) rethrows {
    var name = index + 1
    let end = Int(node.link)
    while name < end {
      try body(name)
      name = document.indexAfter(name + 1)
    }
  }

  /// Returns the index of the first name without a key; nil if each has one.
  ///
  /// Swift compares strings by canonical equivalence, JSON names by their code units (RFC 8259 section 8.3).
  /// A name that is only canonically equal would pass here and never be found; and two such names would
  /// become one key of a `Dictionary`.
  func firstName<Key: CodingKey>(unknownTo type: Key.Type) -> Int? {
    var equivalents: Set<String> = []
    var name = index + 1
    let end = Int(node.link)
    while name < end {
      let text = document.text(of: name)
      guard let key = Key(stringValue: text) else { return name }
      if !document.nodes[name].flag {
        guard key.stringValue.utf8.elementsEqual(text.utf8), equivalents.insert(text).inserted
        else {
          return name
        }
      }
      name = document.indexAfter(name + 1)
    }
    return nil
  }

  /// Returns whether the value, a string, equals a key's name by its code units.
  func isName<Key: CodingKey>(of type: Key.Type) -> Bool {
    let text = document.text(of: index)
    guard let key = Key(stringValue: text) else { return false }
    return node.flag || key.stringValue.utf8.elementsEqual(text.utf8)
  }

  /// Whether the value holds a case's values by their labels.
  ///
  /// Cheaper than ``standsForUnlabelledValue(besides:)``, which asks the key type.
  var isInFull: Bool {
    node.kind == .object && document.member("_0", of: index) != nil
  }

  /// Returns whether the value stands for a case's `_0`: the 10 in `{"setDuration":10}`.
  ///
  /// Call only if ``isInFull`` is false. A value stands for `_0` if the case has an unlabelled value,
  /// unless the value is an object whose members are all named like the case's other values.
  func standsForUnlabelledValue<Key: CodingKey>(besides type: Key.Type) -> Bool {
    guard Key(stringValue: "_0") != nil else { return false }
    return node.kind != .object || node.count == 0 || firstName(unknownTo: type) != nil
  }
}

/// A dictionary that is read from an object.
private protocol DecodableDictionary: Decodable {
  /// Reads an object; returns nil for any other value, and if the keys have no names.
  static func read(_ decoder: NodeDecoder) throws -> Self?
}

extension Dictionary: DecodableDictionary where Key: Decodable, Value: Decodable {
  static func read(_ decoder: NodeDecoder) throws -> Self? {
    guard decoder.node.kind == .object, let names = MemberNames<Key>() else { return nil }
    var members = Self(minimumCapacity: Int(decoder.node.count))
    try decoder.forEachName { name in
      guard let key = names.key(decoder.document.text(of: name)) else {
        throw DecodingFault(decoder, .invalidName(name, expected: names.expected))
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
  /// Decodes a dictionary; of stored values also from an array in which keys and values alternate.
  func dictionary<T: Decodable>(_ type: T.Type) throws -> T {
    guard let dictionary = type as? any DecodableDictionary.Type else { return try T(from: self) }
    if let value = try dictionary.read(self) as? T { return value }
    guard reading == .stored, node.kind == .array else { throw mismatch("an object") }
    return try T(from: self)
  }
}
