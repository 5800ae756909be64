/// One value within a document: two words, cheap to pass on and to keep.
package struct JSONValue: Sendable {
  package enum Kind: Sendable {
    case object, array, string, number, bool, null
  }

  let document: JSONDocument
  let index: Int

  var node: JSONNode { document.nodes[index] }

  package var kind: Kind {
    switch node.kind {
    case .object: .object
    case .array: .array
    case .string: .string
    case .number: .number
    case .bool: .bool
    case .null: .null
    }
  }

  /// The position of its first byte in the source.
  package var offset: Int { Int(node.start) }

  /// How many elements or members it has; 0 unless it is an array or an object.
  package var count: Int { kind == .array || kind == .object ? Int(node.count) : 0 }

  /// The text of a string, nil for any other kind.
  package var string: String? { kind == .string ? document.text(of: index) : nil }

  package var bool: Bool? { kind == .bool ? node.flag : nil }

  /// The elements of an array; none for any other kind.
  package var elements: some Sequence<JSONValue> { Contents(self, .array).lazy.map(\.value) }

  /// The members of an object in the order of the text; none for any other kind.
  package var members: some Sequence<(name: String, value: JSONValue)> {
    Contents(self, .object).lazy.map { ($0.value.document.text(of: $0.name), $0.value) }
  }

  /// The object's member of this name, nil if it has none or is no object.
  package subscript(name: String) -> JSONValue? {
    guard kind == .object, let found = document.member(name, of: index) else { return nil }
    return JSONValue(document: document, index: found)
  }

  /// Decodes this value; a fault's `member` counts from here.
  package func decode<T: Decodable>(_ type: T.Type) throws(JSONError) -> T {
    try NodeDecoder(document, at: index, reading: .plain).decodeRoot(type)
  }

  /// Decodes what a client gives that is no Input: what only a stored value may look like is refused.
  package func decodeGiven<T: Decodable>(_ type: T.Type) throws(JSONError) -> T {
    try NodeDecoder(document, at: index, reading: .given).decodeRoot(type)
  }

  /// Decodes this value as an Input: a fault's `member` counts from its case, and what only a stored
  /// value may look like is refused.
  ///
  /// As for any enum, two shorthands hold: `"a"` is `{"a":{}}`, and `{"a":1}` is `{"a":{"_0":1}}` if the
  /// case has an unlabelled value.
  package func decodeInput<T: Decodable>(_ type: T.Type) throws(JSONError) -> T {
    try NodeDecoder(document, at: index, reading: .input).decodeRoot(type)
  }
}

/// The values within one container, with the node of the name in front of each (objects only).
private struct Contents: Sequence, IteratorProtocol {
  private let document: JSONDocument
  private let isObject: Bool
  private var index: Int
  private let end: Int

  init(_ value: JSONValue, _ kind: JSONNode.Kind) {
    document = value.document
    isObject = kind == .object
    index = value.index + 1
    let node = document.nodes[value.index]
    end = node.kind == kind ? Int(node.link) : index
  }

  mutating func next() -> (name: Int, value: JSONValue)? {
    guard index < end else { return nil }
    let name = index
    let value = isObject ? index + 1 : index
    index = document.indexAfter(value)
    return (name, JSONValue(document: document, index: value))
  }
}
