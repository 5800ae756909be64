/// The members of an object, each of which has to be one that the key type knows.
struct KeyedNodeDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private enum Contents {
    case members
    /// The value is no object with members of this container's: it stands for `_0` itself.
    case loneValue
    /// The value is a string: the name of the one member, which has no values.
    case name
    /// There are no members: the values of a case that was only named.
    case nothing
  }

  let object: NodeDecoder
  private let contents: Contents

  /// Refuses a name for which there is no `Key`, so that a typing error never passes silently.
  ///
  /// No type has to be tracked for that: what it does not ask for, its key type does not have. So
  /// two types cannot share one object, each with keys of its own.
  init(_ decoder: NodeDecoder) throws {
    object = decoder
    if decoder.form == .cases, decoder.node.kind == .string {
      contents = .name
      guard decoder.isName(of: Key.self) else {
        throw DecodingFault(decoder, .unknown(name: decoder.index))
      }
      return
    }
    contents = .members
    guard decoder.node.kind == .object else {
      throw decoder.mismatch(
        decoder.form == .cases ? "the name of a case or an object" : "an object"
      )
    }
    if object.node.count > 0, let name = object.firstName(unknownTo: Key.self) {
      throw DecodingFault(object, .unknown(name: name))
    }
  }

  /// The container of a case's values, which have the enum around them.
  private init(values: NodeDecoder, of outer: NodeDecoder) throws {
    if values.form == .noValues {
      self.init(values, .nothing)
    } else if !values.isInFull, values.standsForUnlabelledValue(besides: Key.self) {
      self.init(outer.isInput ? values.read(as: .payload) : values, .loneValue)
    } else {
      try self.init(values)
    }
  }

  private init(_ object: NodeDecoder, _ contents: Contents) {
    self.object = object
    self.contents = contents
  }

  var codingPath: [any CodingKey] { object.codingPath }

  var allKeys: [Key] {
    switch contents {
    case .members: break
    case .loneValue: return isEmptyObject ? [] : keys("_0")
    case .name: return keys(object.document.text(of: object.index))
    case .nothing: return []
    }
    // The usual Input: one case, and no array to grow.
    if object.node.count == 1 { return keys(object.document.text(of: object.index + 1)) }
    var keys: [Key] = []
    keys.reserveCapacity(Int(object.node.count))
    object.forEachName { name in
      if let key = Key(stringValue: object.document.text(of: name)) { keys.append(key) }
    }
    return keys
  }

  /// The key of that name, if there is one.
  private func keys(_ name: String) -> [Key] {
    guard let key = Key(stringValue: name) else { return [] }
    return [key]
  }

  func contains(_ key: Key) -> Bool {
    // An empty object has no `_0`: it is what remains of a case whose value is left out.
    contents == .loneValue && isEmptyObject ? false : find(key) != nil
  }

  func decodeNil(forKey key: Key) throws -> Bool { try value(key).decodeNil() }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try scalar(key).decode(type) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try scalar(key).decode(type)
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try scalar(key).decode(type)
  }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try scalar(key).decode(type) }

  // Two requirements whose defaults throw, so that the generic function does not serve for them.
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try scalar(key).decode(type)
  }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try scalar(key).decode(type)
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    let decoder = try value(key)
    guard contents == .loneValue, isEmptyObject else { return try decoder.decode(type) }
    do {
      return try decoder.decode(type)
    } catch let fault as DecodingFault where fault.isMismatch(at: decoder) {
      throw missing(key)
    }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    guard object.form == .cases, let values = find(key) else {
      return KeyedDecodingContainer(try KeyedNodeDecoder<Nested>(value(key)))
    }
    return KeyedDecodingContainer(try KeyedNodeDecoder<Nested>(values: values, of: object))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try value(key).unkeyedContainer()
  }

  /// The member `super`, which the key type has to know like any other.
  func superDecoder() throws -> any Decoder {
    guard object.node.kind == .object,
      let value = object.document.member("super", of: object.index)
    else {
      throw DecodingFault(object, .missing("super"))
    }
    return object.inner(value)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { try value(key) }

  private var isEmptyObject: Bool { object.node.kind == .object && object.node.count == 0 }

  private func find(_ key: Key) -> NodeDecoder? {
    switch contents {
    case .members: object.document.member(key.stringValue, of: object.index).map(object.inner)
    case .loneValue: key.stringValue == "_0" ? object : nil
    case .name:
      object.document.text(of: object.index) == key.stringValue ? object.read(as: .noValues) : nil
    case .nothing: nil
    }
  }

  private func value(_ key: Key) throws -> NodeDecoder {
    // A case that was only named has no value, if it is not asked for its values.
    guard let value = find(key), value.form != .noValues else { throw missing(key) }
    return value
  }

  /// No plain value is an empty object, so to these types `{}` says that the value is left out.
  private func scalar(_ key: Key) throws -> NodeDecoder {
    if contents == .loneValue, isEmptyObject { throw missing(key) }
    return try value(key)
  }

  private func missing(_ key: Key) -> DecodingFault {
    // What is missing beside a value that stands for an Input's `_0` belongs to the case, not to that
    // value: it is two nodes behind the Input.
    let isInputs = contents == .loneValue && object.index == object.base + 2
    return DecodingFault(
      isInputs && object.reading == .payload ? object.read(as: .input) : object,
      .missing(key.stringValue)
    )
  }
}
