package import FusionStrictJSON

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
