/// A type whose values stand in JSON as one text or number, and not as its own coding gives them.
///
/// Found by its static type: a value that a type hands to its own encoder
/// (`try date.encode(to: encoder)`) is written by its own coding, and read back by that.
protocol WireValue: Codable {
  /// What it has to look like, in words that follow "expected".
  static var expected: String { get }

  /// How its own coding begins, in which earlier versions stored it; nil where that is no other.
  static var storedKind: JSONNode.Kind? { get }

  /// Reads the value; nil where what stands there is none.
  ///
  /// - Throws: a `DecodingFault` where it is one in form that the type cannot hold.
  static func read(_ decoder: NodeDecoder) throws -> Self?

  /// Writes the value.
  ///
  /// - Throws: an `EncodingError` where it has no such form.
  func write(to place: PlaceEncoder) throws
}

/// One that stands there as a string.
protocol WireText: WireValue {
  /// The value of a text; nil where the text is none.
  init?(wireText: String)

  /// The text; nil where the value has none.
  var wireText: String? { get }
}

extension WireText {
  static func read(_ decoder: NodeDecoder) throws -> Self? {
    guard decoder.node.kind == .string else { return nil }
    return Self(wireText: decoder.document.text(of: decoder.index))
  }

  func write(to place: PlaceEncoder) throws {
    guard let text = wireText else {
      // Without the value, since one like this cannot always be printed either.
      let reason = "there is no form for this \(Self.self)"
      throw EncodingError.invalid(reason, reason, at: place.codingPath)
    }
    try place.encode(text)
  }
}

extension NodeDecoder {
  /// Reads a value of such a type; in the older way only what may be stored, so that a client cannot
  /// send a number that is taken for another time than it means.
  func wireValue<T: Decodable>(_ type: T.Type) throws -> T {
    guard let wire = type as? any WireValue.Type else { return try T(from: self) }
    if let value = try wire.read(self) as? T { return value }
    guard reading == .plain, node.kind == wire.storedKind else {
      throw mismatch(wire.expected)
    }
    return try T(from: self)
  }
}
