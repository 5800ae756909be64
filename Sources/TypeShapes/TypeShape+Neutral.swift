package import FusionStrictJSON

extension TypeShape {
  /// A value that says nothing, for the member that a path leads to: `null`, `false`, 0, an empty text, list
  /// or object, an enum's first case; nil where there is none, or the path leads nowhere.
  ///
  /// A step is a member's name; within a list, or an object with any members, whatever it is.
  package func neutral(at path: [String]) -> JSONTree? {
    var shape = root
    for step in path {
      guard let next = self.step(step, from: shape) else { return nil }
      shape = next
    }
    return neutral(shape, depth: 0)
  }

  private func step(_ name: String, from shape: Shape) -> Shape? {
    switch resolved(shape) {
    case .optional(let wrapped): step(name, from: wrapped)
    case .array(let element), .set(let element), .dictionary(let element, _): element
    case .object(let members): members.first { $0.name == name }?.shape
    case .choice(let cases): cases.lazy.flatMap(\.values).first { $0.name == name }?.shape
    default: nil
    }
  }

  private func neutral(_ shape: Shape, depth: Int) -> JSONTree? {
    guard depth < 16 else { return nil }
    switch resolved(shape) {
    case .optional, .null: return .null
    case .bool: return false
    case .integer(let minimum, _, _): return .number(minimum.hasPrefix("-") ? "0" : minimum)
    case .number: return 0
    case .string, .formatted(.base64): return ""
    case .formatted(.seconds): return 0
    case .formatted(.decimal): return "0"
    case .values(let values): return values.first
    case .array, .set: return []
    case .dictionary: return .object([])
    case .object(let members):
      let values = members.map { member in
        (member.name, member.isOptional ? .null : neutral(member.shape, depth: depth + 1))
      }
      guard values.allSatisfy({ $0.1 != nil }) else { return nil }
      return .object(values.compactMap { name, value in value.map { JSONTree.Member(name, $0) } })
    case .choice(let cases): return cases.first { $0.values.isEmpty }.map { .string($0.name) }
    default: return nil
    }
  }
}
