package import FusionStrictJSON

/// A writer of JSON Schemas (draft 2020-12) for a type and the types that it refers to.
///
/// A value that a client sends may omit optional members, and has no others. A value that the service writes
/// has all members, and may gain more in a later version.
package struct SchemaWriter {
  /// The direction for which a schema holds.
  package enum Direction: Sendable {
    case read, written
  }

  let type: TypeShape
  let direction: Direction
  /// The text before a definition's name in a reference, such as `#/$defs/`.
  private let prefix: String
  private var pending: [Int] = []
  private var seen: Set<Int> = []

  /// Creates a writer for one type.
  package init(_ type: TypeShape, _ direction: Direction, prefix: String = "#/$defs/") {
    self.type = type
    self.direction = direction
    self.prefix = prefix
  }

  /// Returns a type's schema, with the definitions that it refers to as `$defs`.
  package static func schema(_ type: TypeShape, _ direction: Direction) -> JSONTree {
    var writer = SchemaWriter(type, direction)
    return writer.complete(writer.rootSchema())
  }

  /// Returns the type's schema, without the definitions.
  package mutating func rootSchema() -> JSONTree {
    guard case .reference(let index) = type.root else { return schema(type.root) }
    return definition(index)
  }

  /// Returns the definitions to which the schemas refer so far, in the order of the references.
  package mutating func definitions() -> [(name: String, schema: JSONTree)] {
    var written: [(name: String, schema: JSONTree)] = []
    while !pending.isEmpty {
      let index = pending.removeFirst()
      written.append((name(of: index), definition(index)))
    }
    return written
  }

  /// Returns a schema with the definitions that it refers to as `$defs`.
  package mutating func complete(_ schema: JSONTree) -> JSONTree {
    let definitions = definitions().map { JSONTree.Member($0.name, $0.schema) }
    return definitions.isEmpty ? schema : schema.adding(["$defs": .object(definitions)])
  }

  /// Returns a shape's schema.
  mutating func schema(_ shape: Shape) -> JSONTree {
    switch shape {
    case .any: return [:]
    case .null: return ["type": "null"]
    case .bool: return ["type": "boolean"]
    case .integer(let minimum, let maximum, let format):
      let integer: JSONTree = [
        "type": "integer", "minimum": .number(minimum), "maximum": .number(maximum),
      ]
      return format.map {
        integer.adding(["format": .string($0), "description": beyondJavaScript])
      }
        ?? integer
    case .number: return ["type": "number"]
    case .string: return ["type": "string"]
    case .formatted(let format): return format.schema
    case .values(let values): return ["enum": .array(values)]
    case .optional(let wrapped): return nullable(schema(wrapped))
    case .array(let element): return ["type": "array", "items": schema(element)]
    case .set(let element):
      let array: JSONTree = ["type": "array", "items": schema(element)]
      return direction == .written ? array.adding(["uniqueItems": true]) : array
    case .dictionary(let value, let names):
      let object: JSONTree = ["type": "object", "additionalProperties": schema(value)]
      return names.schema.map { object.adding(["propertyNames": $0]) } ?? object
    case .object(let members): return object(members)
    case .storedOnly(let shape): return direction == .written ? [:] : schema(shape)
    case .choice(let cases):
      return ["anyOf": .array(cases.flatMap { forms(of: $0) })]
    case .reference(let index): return reference(index)
    }
  }

  /// Returns the schema of an object with these members.
  mutating func object(_ members: [Shape.Member]) -> JSONTree {
    let properties = members.map { member in
      let schema = schema(member.shape)
      return JSONTree.Member(member.name, member.isOptional ? nullable(schema) : schema)
    }
    let required = members.filter { !$0.isOptional || direction == .written }
    var object: JSONTree = ["type": "object", "properties": .object(properties)]
    if !required.isEmpty {
      object = object.adding(["required": .array(required.map { .string($0.name) })])
    }
    return direction == .read ? object.adding(["additionalProperties": false]) : object
  }

  private mutating func reference(_ index: Int) -> JSONTree {
    switch (type.definitions[index].shape, direction) {
    case (_, .written) where !type.definitions[index].isWrittenAlike: return [:]
    case (.object, _), (.choice, _):
      if seen.insert(index).inserted { pending.append(index) }
      return ["$ref": .string(prefix + name(of: index))]
    case (let shape, _): return schema(shape)
    }
  }

  private mutating func definition(_ index: Int) -> JSONTree {
    let definition = type.definitions[index]
    guard direction == .written else {
      let schema = schema(definition.shape)
      return definition.isReadOnly ? schema.adding(["readOnly": true]) : schema
    }
    guard definition.isWrittenAlike else { return [:] }
    return type.shownMembers(of: definition).map { object($0) } ?? schema(definition.shape)
  }

  /// Returns a schema that allows null, too.
  func nullable(_ schema: JSONTree) -> JSONTree {
    schema == [:] || schema == ["type": "null"]
      ? schema : ["anyOf": [schema, ["type": "null"]]]
  }

  /// Returns a definition's name for references, which is unique.
  private func name(of index: Int) -> String {
    let name = type.definitions[index].plainName
    let isTaken = type.definitions[..<index].contains { $0.plainName == name }
    return isTaken ? "\(name)_\(index)" : name
  }
}

extension Shape.Names {
  fileprivate var schema: JSONTree? {
    switch self {
    case .any: nil
    case .values(let values): ["enum": .array(values.map { .string($0) })]
    case .integers(let isSigned):
      ["pattern": isSigned ? "^(0|-?[1-9][0-9]*)$" : "^(0|[1-9][0-9]*)$"]
    case .formatted(let format): format.schema
    }
  }
}

/// The description of integers beyond the limit up to which RFC 8259 section 6 expects agreement.
private let beyondJavaScript: JSONTree = "Beyond 2^53 more than a JavaScript number holds."

extension Definition {
  /// The name with `_` in place of all characters except ASCII letters and digits.
  fileprivate var plainName: String {
    String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }
}

extension SchemaWriter {
  /// Returns the schema of an Input in all its forms.
  package mutating func inputSchema() -> JSONTree {
    guard case .choice(let cases) = type.shape else { return rootSchema() }
    return ["anyOf": .array(cases.flatMap { forms(of: $0) })]
  }

  /// Returns the schemas of a case, one for each form that is accepted or written, depending on the
  /// direction.
  mutating func forms(of one: Shape.Case) -> [JSONTree] {
    let isWritten = direction == .written
    let one = isWritten ? one.shown : one
    if isWritten, one.values.isEmpty { return [["const": .string(one.name)]] }
    let lone = one.loneValue.flatMap { isWritten && one.values.count > 1 ? nil : $0 }
    var forms: [JSONTree] = []
    if one.canBeBare, !isWritten { forms.append(["const": .string(one.name)]) }
    if let lone {
      let schema = schema(lone.shape)
      forms.append(wrapped(one.name, lone.isOptional ? nullable(schema) : schema))
    }
    if lone.map({ !isWritten || type.mayBeTakenForValues($0.shape) }) ?? true {
      forms.append(inFull(one))
    }
    return forms
  }

  /// Returns the schema of a case with its values by their labels.
  private mutating func inFull(_ one: Shape.Case) -> JSONTree {
    wrapped(one.name, object(one.values))
  }

  /// Returns the schema of an object with one member.
  private func wrapped(_ name: String, _ value: JSONTree) -> JSONTree {
    [
      "type": "object", "properties": .object([JSONTree.Member(name, value)]),
      "required": [.string(name)], "additionalProperties": false,
    ]
  }
}

extension TypeShape {
  /// Returns whether a value may be an object that is empty or has a member `_0`, which keeps its label.
  fileprivate func mayBeTakenForValues(_ shape: Shape) -> Bool {
    switch shape {
    case .any, .dictionary: true
    case .optional(let wrapped): mayBeTakenForValues(wrapped)
    case .object(let members):
      !members.contains(where: \.isShown) || members.contains { $0.name == "_0" }
    case .choice(let cases): cases.contains { $0.name == "_0" }
    case .reference(let index):
      !definitions[index].isWrittenAlike || mayBeTakenForValues(definitions[index].shape)
    default: false
    }
  }
}

extension Shape.Case {
  /// The case with the values that clients see.
  fileprivate var shown: Self { Self(name: name, values: values.filter(\.isShown)) }

  /// Returns whether the JSON under the case's name is its single value, without the label.
  func isInShort(_ written: JSONTree) -> Bool {
    values.count == 1 && values[0].name == "_0" && written["_0"] == nil
  }
}

extension JSONTree {
  /// The name and the values of an enum's case; an empty object for a case without values.
  package var namedCase: (name: String, values: JSONTree)? {
    switch self {
    case .string(let name): (name, [:])
    case .object(let members) where members.count == 1: (members[0].name, members[0].value)
    default: nil
    }
  }
}
