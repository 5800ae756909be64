extension JSONValue {
  /// Decodes a stored value: older forms of dates, dictionaries and the like are accepted, too.
  ///
  /// An error's `member` starts at this value.
  package func decode<T: Decodable>(_ type: T.Type) throws(JSONError) -> T {
    try NodeDecoder(document, at: index, reading: .stored).decodeRoot(type)
  }

  /// Decodes a client's value that is not an Input; refuses forms that only stored values have.
  package func decodeGiven<T: Decodable>(_ type: T.Type) throws(JSONError) -> T {
    try NodeDecoder(document, at: index, reading: .given).decodeRoot(type)
  }

  /// Decodes the value as an Input; refuses forms that only stored values have.
  ///
  /// Two shorthands are accepted, as for any enum: `"a"` for `{"a":{}}`, and `{"a":1}` for `{"a":{"_0":1}}`
  /// if the case has an unlabelled value. An error's `member` starts below the case.
  package func decodeInput<T: Decodable>(_ type: T.Type) throws(JSONError) -> T {
    try NodeDecoder(document, at: index, reading: .input).decodeRoot(type)
  }
}

/// A ``WireValue`` that is read from one node.
protocol DecodableWireValue: WireValue {
  /// Reads the value; returns nil if the node has another form.
  ///
  /// - Throws: a ``DecodingFault`` if the form is right, but the type cannot hold the value.
  static func read(_ decoder: NodeDecoder) throws -> Self?
}

extension NodeDecoder {
  /// Decodes a ``WireValue``.
  ///
  /// Only stored values may have the older form: a client's number could otherwise be mistaken for a
  /// different time.
  func wireValue<T: Decodable>(_ type: T.Type) throws -> T {
    guard let wire = type as? any DecodableWireValue.Type else {
      try check(CheckedForm(of: type))
      return try T(from: self)
    }
    if let value = try wire.read(self) as? T { return value }
    guard reading == .stored, node.kind == wire.storedKind else {
      throw mismatch(wire.expected)
    }
    return try T(from: self)
  }
}
