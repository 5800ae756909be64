import FusionStrictJSON

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
