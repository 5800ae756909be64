package import FusionStrictJSON

extension SchemaWriter {
  /// The schema of an Input, in all the ways in which it may be written.
  package mutating func inputSchema() -> JSONTree {
    guard case .choice(let cases) = type.shape else { return rootSchema() }
    return ["anyOf": .array(cases.flatMap { forms(of: $0) })]
  }

  /// A case in every way in which it may be read, or in those in which it is written.
  mutating func forms(of one: Shape.Case) -> [JSONTree] {
    let isWritten = direction == .written
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

  /// A case with its values by their labels.
  private mutating func inFull(_ one: Shape.Case) -> JSONTree {
    wrapped(one.name, object(one.values))
  }

  /// An object with this one member.
  private func wrapped(_ name: String, _ value: JSONTree) -> JSONTree {
    [
      "type": "object", "properties": .object([JSONTree.Member(name, value)]),
      "required": [.string(name)], "additionalProperties": false,
    ]
  }
}

extension TypeShape {
  /// Whether a value may be an object that is empty or has a member `_0`: such a one is written below
  /// its label.
  fileprivate func mayBeTakenForValues(_ shape: Shape) -> Bool {
    switch shape {
    case .any, .dictionary: true
    case .optional(let wrapped): mayBeTakenForValues(wrapped)
    case .object(let members): members.isEmpty || members.contains { $0.name == "_0" }
    case .choice(let cases): cases.contains { $0.name == "_0" }
    case .reference(let index):
      !definitions[index].isWrittenAlike || mayBeTakenForValues(definitions[index].shape)
    default: false
    }
  }
}

extension Shape.Case {
  /// Whether what is written beneath the case's name is its one value, without the label.
  func isInShort(_ written: JSONTree) -> Bool {
    values.count == 1 && values[0].name == "_0" && written["_0"] == nil
  }
}

extension JSONTree {
  /// The case that is written here, and what beneath its name; an empty object where there is nothing.
  package var namedCase: (name: String, values: JSONTree)? {
    switch self {
    case .string(let name): (name, [:])
    case .object(let members) where members.count == 1: (members[0].name, members[0].value)
    default: nil
    }
  }
}
