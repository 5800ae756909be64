/// The members of an object, each of which has to be one that the key type knows.
struct KeyedNodeDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let object: NodeDecoder

  /// The value is no object with members of this container's: it stands for `_0` itself.
  private let isLoneValue: Bool

  /// Refuses a name for which there is no `Key`, so that a typing error never passes silently.
  ///
  /// No type has to be tracked for that: what it does not ask for, its key type does not have. So
  /// two types cannot share one object, each with keys of its own.
  init(_ decoder: NodeDecoder) throws {
    var decoder = decoder
    if decoder.reading == .input, decoder.node.kind == .string {
      decoder = decoder.expandingCaseName()
    }
    guard decoder.node.kind == .object else {
      throw decoder.mismatch(
        decoder.reading == .input ? "the name of a case or an object" : "an object"
      )
    }
    object = decoder
    isLoneValue = false
    if object.node.count > 0, let name = object.firstName(unknownTo: Key.self) {
      throw DecodingFault(object, .unknown(name: name))
    }
  }

  /// The container of a case's values within an Input.
  init(payload: NodeDecoder) throws {
    guard !payload.isInFull, payload.standsForUnlabelledValue(besides: Key.self) else {
      try self.init(payload)
      return
    }
    self.init(loneValue: payload.read(as: .payload))
  }

  private init(loneValue: NodeDecoder) {
    object = loneValue
    isLoneValue = true
  }

  var codingPath: [any CodingKey] { object.codingPath }

  var allKeys: [Key] {
    if isLoneValue { return isEmptyObject ? [] : [Key(stringValue: "_0")].compactMap(\.self) }
    if object.node.count == 1 {
      // The usual Input: one case, and no array to grow.
      guard let key = Key(stringValue: object.document.text(of: object.index + 1)) else {
        return []
      }
      return [key]
    }
    var keys: [Key] = []
    keys.reserveCapacity(Int(object.node.count))
    object.forEachName { name in
      if let key = Key(stringValue: object.document.text(of: name)) { keys.append(key) }
    }
    return keys
  }

  func contains(_ key: Key) -> Bool {
    // An empty object has no `_0`: it is what remains of a case whose value is left out.
    isLoneValue && isEmptyObject ? false : find(key) != nil
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
    guard isLoneValue, isEmptyObject else { return try decoder.decode(type) }
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
    let decoder = try value(key)
    return KeyedDecodingContainer(
      object.reading == .input
        ? try KeyedNodeDecoder<Nested>(payload: decoder) : try KeyedNodeDecoder<Nested>(decoder)
    )
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try value(key).unkeyedContainer()
  }

  /// The member `super`, which the key type has to know like any other.
  func superDecoder() throws -> any Decoder {
    guard let value = object.document.member("super", of: object.index) else {
      throw DecodingFault(object, .missing("super"))
    }
    return object.inner(value)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { try value(key) }

  private var isEmptyObject: Bool { object.node.kind == .object && object.node.count == 0 }

  private func find(_ key: Key) -> NodeDecoder? {
    if isLoneValue { return key.stringValue == "_0" ? object : nil }
    return object.document.member(key.stringValue, of: object.index).map(object.inner)
  }

  private func value(_ key: Key) throws -> NodeDecoder {
    guard let value = find(key) else { throw missing(key) }
    return value
  }

  /// No plain value is an empty object, so to these types `{}` says that the value is left out.
  private func scalar(_ key: Key) throws -> NodeDecoder {
    if isLoneValue, isEmptyObject { throw missing(key) }
    return try value(key)
  }

  private func missing(_ key: Key) -> DecodingFault {
    // What is missing beside a value that stands for `_0` belongs to the case, not to that value.
    DecodingFault(isLoneValue ? object.read(as: .caseValue) : object, .missing(key.stringValue))
  }
}
