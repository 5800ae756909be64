/// A JSON value as a tree, for values that are created or changed in code.
///
/// An object's members keep their order. For reading, ``JSONValue`` is cheaper.
package enum JSONTree: Sendable, Hashable {
  case null
  case bool(Bool)
  /// A number by its text, so that no digits are lost.
  case number(String)
  case string(String)
  case array([JSONTree])
  case object([Member])

  /// A name with its value.
  package struct Member: Sendable, Hashable {
    package let name: String
    package var value: JSONTree

    package init(_ name: String, _ value: JSONTree) {
      self.name = name
      self.value = value
    }
  }

  /// Creates a tree from a value of a document.
  package init(_ value: JSONValue) {
    switch value.kind {
    case .null: self = .null
    case .bool: self = .bool(value.bool ?? false)
    case .number: self = .number(value.document.text(of: value.index))
    case .string: self = .string(value.string ?? "")
    case .array: self = .array(value.elements.map(JSONTree.init))
    case .object: self = .object(value.members.map { Member($0.name, JSONTree($0.value)) })
    }
  }

  /// Returns the member with this name; nil if it is absent, or the value is not an object.
  package subscript(name: String) -> JSONTree? {
    members.first { $0.name == name }?.value
  }

  /// An object's members; empty for any other kind.
  package var members: [Member] {
    if case .object(let members) = self { members } else { [] }
  }

  /// Returns an object with the members of another after its own.
  package func adding(_ other: JSONTree) -> JSONTree {
    .object(members + other.members)
  }

  /// The text as UTF-8, without spaces.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  /// The compact text as a string.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  private func append(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes.appendBool(value)
    case .number(let text): bytes += text.utf8
    case .string(let text): bytes.appendLiteral(text)
    case .array(let elements): bytes.appendArray(elements) { $0.append(to: &$1) }
    case .object(let members):
      bytes.appendObject(members.lazy.map { ($0.name, $0.value) }) { $0.append(to: &$1) }
    }
  }
}

extension JSONTree: ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
  ExpressibleByNilLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(integerLiteral value: Int) { self = .number("\(value)") }
  package init(arrayLiteral elements: JSONTree...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSONTree)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
  package init(nilLiteral: ()) { self = .null }
}
