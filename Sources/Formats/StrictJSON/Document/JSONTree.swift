/// A JSON value as a tree, to be written in code or changed; an object's members keep their order.
///
/// `JSONValue` is for reading: it points into a document and builds nothing.
package enum JSONTree: Sendable, Hashable {
  case null
  case bool(Bool)
  /// The number as it is written, so that none loses its last digits.
  case number(String)
  case string(String)
  case array([JSONTree])
  case object([Member])

  package struct Member: Sendable, Hashable {
    package let name: String
    package let value: JSONTree

    package init(_ name: String, _ value: JSONTree) {
      self.name = name
      self.value = value
    }
  }

  /// What stands in a document.
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

  /// What a value is written as.
  package init(encoding value: some Encodable) throws {
    try self.init(JSONDocument(StrictJSON.encode(value)).root)
  }

  /// The member of that name; nil if it has none or is no object.
  package subscript(name: String) -> JSONTree? {
    members.first { $0.name == name }?.value
  }

  /// An object's members; none for any other kind.
  package var members: [Member] {
    if case .object(let members) = self { members } else { [] }
  }

  /// An object with the members of another behind its own.
  package func adding(_ other: JSONTree) -> JSONTree {
    .object(members + other.members)
  }

  /// The text, written compactly.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  private func append(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .number(let text): bytes += text.utf8
    case .string(let text): StrictJSON.append(text, to: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        element.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        StrictJSON.append(member.name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
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
