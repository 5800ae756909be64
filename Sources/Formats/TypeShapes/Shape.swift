package import FusionStrictJSON

/// The form of a type's values in JSON.
package indirect enum Shape: Sendable, Hashable, Codable {
  /// Any value: the type's form is unknown.
  case any
  case null
  case bool
  /// An integer; with a format if it has more than 53 bits, the number that every JSON reader supports.
  case integer(minimum: String, maximum: String, format: String?)
  case number
  case string
  /// A string or number of a known format.
  case formatted(Format)
  /// A closed set of values.
  case values([JSONTree])
  case optional(Shape)
  case array(Shape)
  /// An array without equal elements.
  case set(Shape)
  /// An object with any number of members, all of one shape.
  case dictionary(Shape, names: Names)
  case object([Member])
  /// The shape of a member that clients do not see.
  case storedOnly(Shape)
  /// An enum with values: a case's name, or an object whose one member is named like a case.
  case choice([Case])
  /// A reference to a definition, by its index.
  case reference(Int)

  /// The possible names of a dictionary's members.
  package enum Names: Sendable, Hashable, Codable {
    case any
    /// A closed set of names.
    case values([String])
    case integers(isSigned: Bool)
    case formatted(Format)
  }

  /// A member of an object, or a value of a case.
  package struct Member: Sendable, Hashable, Codable {
    package let name: String
    package let shape: Shape
    /// Whether the member may be omitted or null; a written value always has it.
    package let isOptional: Bool

    /// Whether clients see the member.
    var isShown: Bool { if case .storedOnly = shape { false } else { true } }
  }

  /// A case of an enum, with its values by their labels; unlabelled ones are `_0`, `_1` and so on.
  package struct Case: Sendable, Hashable, Codable {
    package let name: String
    package let values: [Member]

    /// Whether the case's name alone may stand for the case.
    package var canBeBare: Bool { values.allSatisfy(\.isOptional) }

    /// The value that may replace the object of values: `{"name":value}`.
    package var loneValue: Member? {
      guard let value = values.first(where: { $0.name == "_0" }) else { return nil }
      return values.allSatisfy { $0.isOptional || $0.name == "_0" } ? value : nil
    }
  }
}

/// A type with its own shape, to which other shapes refer.
struct Definition: Codable {
  let name: String
  /// Whether only the service sends values (JSON Schema Validation 2020-12 section 9.4).
  let isReadOnly: Bool
  var shape = Shape.any
  /// The struct of the derived members, which only clients see.
  var derived: Shape?
  /// Whether values are encoded in the form in which they are decoded.
  var isWrittenAlike = false
}

extension Shape {
  /// The form of a type of Foundation or the standard library that is a string or a number.
  package enum Format: Sendable, Hashable, Codable {
    case dateTime, date, url, uuid, decimal, base64, seconds
    /// A text that clients see as dots.
    case password

    /// The schema; "format" is from JSON Schema Validation 2020-12 section 7.3, "contentEncoding" from 8.3.
    var schema: JSONTree {
      switch self {
      case .dateTime: ["type": "string", "format": "date-time"]
      case .date: ["type": "string", "format": "date"]
      case .url: ["type": "string", "format": "uri-reference"]
      case .uuid: ["type": "string", "format": "uuid"]
      case .decimal: ["type": "string", "pattern": .string(Self.number)]
      case .base64: ["type": "string", "contentEncoding": "base64"]
      case .seconds: ["type": "number", "description": "Seconds."]
      case .password: ["type": "string", "format": "password"]
      }
    }

    /// The grammar of numbers in RFC 8259 section 6.
    private static let number = #"^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$"#

    /// Returns whether a written value has this form.
    func fits(_ tree: JSONTree) -> Bool {
      switch (self, tree) {
      case (.seconds, .number): true
      case (_, .string): self != .seconds
      default: false
      }
    }
  }
}

extension Shape {
  /// Returns whether a written value, which has all members, has this shape.
  func fits(_ tree: JSONTree, _ definitions: [Definition]) -> Bool {
    switch (self, tree) {
    case (.any, _), (.null, .null), (.bool, .bool), (.number, .number), (.string, .string),
      (.optional, .null):
      return true
    case (.integer, .number(let text)):
      return !text.utf8.contains { [UInt8(ascii: "."), UInt8(ascii: "e")].contains($0 | 0x20) }
    case (.formatted(let format), _): return format.fits(tree)
    case (.values(let values), _): return values.contains(tree)
    case (.optional(let wrapped), _): return wrapped.fits(tree, definitions)
    case (.array(let element), .array(let elements)), (.set(let element), .array(let elements)):
      return elements.allSatisfy { element.fits($0, definitions) }
    case (.dictionary(let value, let names), .object(let members)):
      return members.allSatisfy { member in
        names.allow(member.name) && value.fits(member.value, definitions)
      }
    case (.object(let members), .object): return Self.fits(members, tree, definitions)
    case (.choice(let cases), .string(let name)):
      return cases.contains { $0.name == name && $0.values.isEmpty }
    case (.choice(let cases), .object(let members)):
      guard members.count == 1, let one = cases.first(where: { $0.name == members[0].name }),
        let values = one.written(members[0].value)
      else { return false }
      return Self.fits(one.values, values, definitions)
    case (.storedOnly(let shape), _): return shape.fits(tree, definitions)
    case (.reference(let index), _):
      // A type that is encoded differently than decoded may have any form.
      return !definitions[index].isWrittenAlike || definitions[index].shape.fits(tree, definitions)
    default: return false
    }
  }

  private static func fits(
    _ members: [Member],
    _ tree: JSONTree,
    _ definitions: [Definition]
  ) -> Bool {
    guard case .object(let written) = tree, written.count == members.count else { return false }
    return members.allSatisfy { member in
      guard let value = tree[member.name] else { return false }
      return member.isOptional && value == .null || member.shape.fits(value, definitions)
    }
  }
}

extension Shape.Case {
  /// Returns the values by their labels, given the JSON under the case's name.
  ///
  /// - Returns: nil if the JSON should have been written in a shorter form.
  fileprivate func written(_ written: JSONTree) -> JSONTree? {
    if isInShort(written) { return ["_0": written] }
    guard let value = written["_0"], values.count == 1 else {
      return values.isEmpty ? nil : written
    }
    return value == [:] || value["_0"] != nil ? written : nil
  }
}

extension Shape.Names {
  fileprivate func allow(_ name: String) -> Bool {
    if case .values(let values) = self { values.contains(name) } else { true }
  }
}
