/// The keyed container of an object; the key type must have a key for each member.
struct KeyedNodeDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
  /// The source of the members.
  private enum Source {
    case members
    /// The value stands for the one member `_0`.
    case loneValue
    /// The value is a string that names the one member, a case without values.
    case name
    /// The container has no members: it holds the values of a case given by its name only.
    case empty
  }

  let object: NodeDecoder
  private let source: Source

  /// Creates the container; throws for a name without a `Key`, so that no typo passes silently.
  ///
  /// Checking against the key type avoids tracking which keys a type requests. The price: two types with
  /// different keys cannot share one object.
  init(_ decoder: NodeDecoder) throws {
    object = decoder
    if decoder.form == .cases, decoder.node.kind == .string {
      source = .name
      guard decoder.isName(of: Key.self) else {
        throw DecodingFault(decoder, .unknown(name: decoder.index))
      }
      return
    }
    source = .members
    guard decoder.node.kind == .object else {
      throw decoder.mismatch(
        decoder.form == .cases ? "the name of a case or an object" : "an object"
      )
    }
    if object.node.count > 0, let name = object.firstName(unknownTo: Key.self) {
      throw DecodingFault(object, .unknown(name: name))
    }
  }

  /// Creates the container of a case's values; `outer` is the decoder of the enum.
  private init(values: NodeDecoder, of outer: NodeDecoder) throws {
    if values.form == .noValues {
      self.init(values, .empty)
    } else if !values.isInFull, values.standsForUnlabelledValue(besides: Key.self) {
      self.init(outer.isInput ? values.read(as: .payload) : values, .loneValue)
    } else {
      try self.init(values)
    }
  }

  private init(_ object: NodeDecoder, _ source: Source) {
    self.object = object
    self.source = source
  }

  var codingPath: [any CodingKey] { object.codingPath }

  var allKeys: [Key] {
    switch source {
    case .members: break
    case .loneValue: return isEmptyObject ? [] : keys("_0")
    case .name: return keys(object.document.text(of: object.index))
    case .empty: return []
    }
    // Fast path for an Input, which has a single case.
    if object.node.count == 1 { return keys(object.document.text(of: object.index + 1)) }
    var keys: [Key] = []
    keys.reserveCapacity(Int(object.node.count))
    object.forEachName { name in
      if let key = Key(stringValue: object.document.text(of: name)) { keys.append(key) }
    }
    return keys
  }

  /// Returns the key with this name, if it exists.
  private func keys(_ name: String) -> [Key] {
    guard let key = Key(stringValue: name) else { return [] }
    return [key]
  }

  func contains(_ key: Key) -> Bool {
    // An empty object is a case whose value is omitted, not a `_0`.
    source == .loneValue && isEmptyObject ? false : find(key) != nil
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

  // The defaults of these two requirements throw, so the generic function does not replace them.
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try scalar(key).decode(type)
  }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try scalar(key).decode(type)
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    let decoder = try value(key)
    guard source == .loneValue, isEmptyObject else { return try decoder.decode(type) }
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

  /// Returns the decoder of the member `super`, for which the key type must have a key.
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
    switch source {
    case .members: object.document.member(key.stringValue, of: object.index).map(object.inner)
    case .loneValue: key.stringValue == "_0" ? object : nil
    case .name:
      object.document.text(of: object.index) == key.stringValue ? object.read(as: .noValues) : nil
    case .empty: nil
    }
  }

  private func value(_ key: Key) throws -> NodeDecoder {
    // A case given by its name only has a container of values, but no value.
    guard let value = find(key), value.form != .noValues else { throw missing(key) }
    return value
  }

  /// Returns the decoder of a scalar; `{}` in place of a scalar `_0` means that the value is missing.
  private func scalar(_ key: Key) throws -> NodeDecoder {
    if source == .loneValue, isEmptyObject { throw missing(key) }
    return try value(key)
  }

  private func missing(_ key: Key) -> DecodingFault {
    // If the value stands for `_0`, two nodes after the Input, a missing member is missing in the case, not
    // in the value.
    let isOfCase = source == .loneValue && object.index == object.base + 2
    return DecodingFault(
      isOfCase && object.reading == .payload ? object.read(as: .input) : object,
      .missing(key.stringValue)
    )
  }
}
