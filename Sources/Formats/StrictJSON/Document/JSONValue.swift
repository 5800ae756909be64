/// A value within a document: two words, cheap to copy.
package struct JSONValue: Sendable {
  package enum Kind: UInt8, Sendable {
    case object, array, string, number, bool, null
  }

  let document: JSONDocument
  let index: Int

  var node: JSONNode { document.nodes[index] }

  package var kind: Kind { node.kind }

  /// The number of elements or members; 0 unless the value is an array or an object.
  package var count: Int { kind == .array || kind == .object ? Int(node.count) : 0 }

  /// The text of a string; nil for any other kind.
  package var string: String? { kind == .string ? document.text(of: index) : nil }

  /// The value of a Boolean; nil for any other kind.
  package var bool: Bool? { kind == .bool ? node.flag : nil }

  /// The elements of an array; none for any other kind.
  package var elements: some Sequence<JSONValue> {
    ContentsSequence(self, .array).lazy.map(\.value)
  }

  /// The members of an object in the order of the text; none for any other kind.
  package var members: some Sequence<(name: String, value: JSONValue)> {
    ContentsSequence(self, .object).lazy.map { ($0.value.document.text(of: $0.name), $0.value) }
  }

  /// Returns the member with this name; nil if it is absent, or the value is not an object.
  package subscript(name: String) -> JSONValue? {
    guard kind == .object, let found = document.member(name, of: index) else { return nil }
    return JSONValue(document: document, index: found)
  }

  /// The number of values and names within the value, including itself.
  ///
  /// The value's text has at least that many bytes.
  package var nodeCount: Int { document.indexAfter(index) - index }

  /// Appends the value's text, without spaces; numbers keep their digits.
  package func write(to bytes: inout [UInt8]) {
    switch kind {
    case .null: bytes += "null".utf8
    case .bool: bytes.appendBool(node.flag)
    case .number: bytes += document.bytes[node.textRange]
    case .string: bytes.appendLiteral(document.text(of: index))
    case .array: bytes.appendArray(elements) { $0.write(to: &$1) }
    case .object: bytes.appendObject(members) { $0.write(to: &$1) }
    }
  }
}

/// The values within a container, each with the index of the preceding node, which is an object's name.
private struct ContentsSequence: Sequence, IteratorProtocol {
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

extension JSONValue: Equatable {
  /// Returns whether two values are the same JSON.
  ///
  /// The order of members does not matter (RFC 8259 section 1). Numbers are compared by their text, so that
  /// nothing is lost to rounding: `1` and `1.0` differ.
  package static func == (one: JSONValue, other: JSONValue) -> Bool {
    equal(one.document, one.index, other.document, other.index)
  }
}

private func equal(_ a: JSONDocument, _ i: Int, _ b: JSONDocument, _ j: Int) -> Bool {
  let one = a.nodes[i]
  let other = b.nodes[j]
  guard one.kind == other.kind else { return false }
  switch one.kind {
  case .null: return true
  case .bool: return one.flag == other.flag
  case .string, .number: return haveSameText(a, one, b, other)
  case .array: return one.count == other.count && haveEqualElements(a, i, b, j)
  case .object: return one.count == other.count && haveEqualMembers(a, i, b, j)
  }
}

private func haveSameText(
  _ a: JSONDocument,
  _ one: JSONNode,
  _ b: JSONDocument,
  _ other: JSONNode
) -> Bool {
  guard one.count == other.count else { return false }
  let (first, second) = (Int(one.link), Int(other.link))
  for place in 0..<Int(one.count) where a.bytes[first + place] != b.bytes[second + place] {
    return false
  }
  return true
}

private func haveEqualElements(_ a: JSONDocument, _ i: Int, _ b: JSONDocument, _ j: Int) -> Bool {
  var (x, y) = (i + 1, j + 1)
  for _ in 0..<a.nodes[i].count {
    guard equal(a, x, b, y) else { return false }
    (x, y) = (a.indexAfter(x), b.indexAfter(y))
  }
  return true
}

/// Compares members pair by pair while both objects have the same order, which is common.
private func haveEqualMembers(_ a: JSONDocument, _ i: Int, _ b: JSONDocument, _ j: Int) -> Bool {
  var (x, y) = (i + 1, j + 1)
  var isSameOrder = true
  for _ in 0..<a.nodes[i].count {
    isSameOrder = isSameOrder && haveSameText(a, a.nodes[x], b, b.nodes[y])
    if isSameOrder {
      guard equal(a, x + 1, b, y + 1) else { return false }
      y = b.indexAfter(y + 1)
    } else {
      guard let found = b.member(a.text(of: x), of: j), equal(a, x + 1, b, found) else {
        return false
      }
    }
    x = a.indexAfter(x + 1)
  }
  return true
}
