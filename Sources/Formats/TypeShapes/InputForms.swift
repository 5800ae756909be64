package import FusionStrictJSON
import UIFusionKit

/// An Input of a view model, with each form in which it can be written.
package struct InputForms: Sendable {
  package let name: String
  /// The schema, with the definitions to which it refers.
  package let schema: JSONTree
  /// The Input with sample values in each form, the shortest first.
  package let examples: [JSONTree]
}

extension TypeShape {
  /// The enum's cases as Inputs, with the contract's two shorthands; none for other types.
  package var inputs: [InputForms] {
    switch shape {
    case .choice(let cases):
      cases.map { one in
        var writer = SchemaWriter(self, .read)
        let schema = writer.complete(["anyOf": .array(writer.forms(of: one))])
        let sample = samples.first { $0 == .string(one.name) || $0[one.name] != nil }
        return InputForms(
          name: one.name,
          schema: schema,
          examples: sample.map { forms(of: $0) } ?? []
        )
      }
    case .values:
      caseNames.map { name in
        InputForms(name: name, schema: ["const": .string(name)], examples: [.string(name)])
      }
    default: []
    }
  }

  /// Returns all forms of an Input that is given in one form, the shortest first.
  ///
  /// - Parameters:
  ///   - input: the Input in any form.
  ///   - standingIn: whether to replace a secret's dots by a sample value that can be sent.
  /// - Returns: the forms; only the Input itself if it is not one of the type's cases.
  package func forms(of input: JSONTree, standingIn: Bool = true) -> [JSONTree] {
    guard case .choice(let cases) = shape, let (name, value) = input.namedCase,
      let one = cases.first(where: { $0.name == name })
    else { return [input] }
    // Null members may be omitted.
    let written = one.isInShort(value) ? [JSONTree.Member("_0", value)] : value.members
    let present = written.filter { member in
      let isOptional = one.values.contains { $0.name == member.name && $0.isOptional }
      return member.value != .null || !isOptional
    }
    let values = present.map {
      JSONTree.Member($0.name, standingIn ? withoutDots($0.value) : $0.value)
    }
    let inFull: JSONTree = .object([.init(one.name, .object(values))])
    if values.isEmpty { return [.string(one.name), inFull] }
    guard one.loneValue != nil, values.count == 1, values[0].name == "_0",
      one.canStandAlone(values[0].value)
    else { return [inFull] }
    return [.object([.init(one.name, values[0].value)]), inFull]
  }
}

/// Replaces a secret's dots, which would be decoded as an empty secret.
private func withoutDots(_ tree: JSONTree) -> JSONTree {
  switch tree {
  case .string(dots): "secret"
  case .array(let elements): .array(elements.map(withoutDots))
  case .object(let members): .object(members.map { .init($0.name, withoutDots($0.value)) })
  default: tree
  }
}

private let dots = "\(Secret("secret"))"

extension Shape.Case {
  /// Returns whether the value cannot be mistaken for an object of the case's values.
  fileprivate func canStandAlone(_ value: JSONTree) -> Bool {
    guard case .object(let members) = value else { return true }
    guard value["_0"] == nil else { return false }
    return !members.allSatisfy { member in values.contains { $0.name == member.name } }
  }
}
