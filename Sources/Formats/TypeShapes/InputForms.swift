package import FusionStrictJSON
import UIFusionKit

/// One Input of a view model: its name, and every way in which it may be written.
package struct InputForms: Sendable {
  package let name: String
  /// Complete in itself.
  package let schema: JSONTree
  /// The same Input in each way, the shortest first; with sample values.
  package let examples: [JSONTree]
}

extension TypeShape {
  /// An enum's cases as Inputs, for which the contract's two shorthands hold; none for other types.
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

  /// Every way to write an Input, of which one is given; the shortest first.
  ///
  /// - Parameters:
  ///   - input: the Input, as it is written.
  ///   - standingIn: whether a secret's dots give way to a value that can be sent.
  /// - Returns: the forms; the Input as it is where no case is like it.
  package func forms(of input: JSONTree, standingIn: Bool = true) -> [JSONTree] {
    guard case .choice(let cases) = shape, let (name, value) = input.namedCase,
      let one = cases.first(where: { $0.name == name })
    else { return [input] }
    // What is null may be left out.
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

/// A secret writes dots, which would be read as nothing: this puts a stand-in that can be sent.
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
  /// Whether the value would not be taken for the case's values by their labels.
  fileprivate func canStandAlone(_ value: JSONTree) -> Bool {
    guard case .object(let members) = value else { return true }
    guard value["_0"] == nil else { return false }
    return !members.allSatisfy { member in values.contains { $0.name == member.name } }
  }
}
