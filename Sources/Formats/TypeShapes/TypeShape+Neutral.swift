package import FusionStrictJSON

extension TypeShape {
  /// Returns a neutral value for the member at a path: `null`, `false`, 0, an empty string, list or object.
  ///
  /// A step is a member's name; within a list or dictionary any name matches.
  ///
  /// - Returns: nil if the type has no such value, like an enum or a date, or the path leads nowhere.
  package func neutral(at path: [String]) -> JSONTree? {
    let end = path.reduce(Optional(root)) { shape, name in shape.flatMap { step(name, from: $0) } }
    return end.flatMap { neutral($0, depth: 0) }
  }

  /// Returns whether a path leads to one member, not to a member of each element of a list or dictionary.
  package func isOfOne(_ path: [String]) -> Bool {
    path.indices.allSatisfy { element(of: shape(at: path.prefix($0))) == nil }
  }

  /// Returns whether a path leads to a UUID, which is unique among elements.
  package func isIdentity(_ path: [String]) -> Bool {
    if case .formatted(.uuid)? = shape(at: path[...]) { true } else { false }
  }

  /// Returns whether a path leads to a dictionary.
  package func hasAnyMembers(at path: [String]) -> Bool {
    if case .dictionary? = shape(at: path[...]) { true } else { false }
  }

  /// Returns the path as text, with `*` for any element.
  package func name(of path: [String]) -> String {
    path.indices.map { element(of: shape(at: path.prefix($0))) == nil ? path[$0] : "*" }
      .joined(separator: ".")
  }

  /// Returns the shape at the end of a path, unwrapped if optional.
  private func shape(at path: ArraySlice<String>) -> Shape? {
    let end = path.reduce(Optional(root)) { shape, name in shape.flatMap { step(name, from: $0) } }
    return end.map(unwrapped)
  }

  private func unwrapped(_ shape: Shape) -> Shape {
    if case .optional(let wrapped) = resolved(shape) { unwrapped(wrapped) } else { resolved(shape) }
  }

  private func element(of shape: Shape?) -> Shape? {
    switch shape {
    case .array(let element)?, .set(let element)?, .dictionary(let element, _)?: element
    default: nil
    }
  }

  private func step(_ name: String, from shape: Shape) -> Shape? {
    switch resolved(shape) {
    case .optional(let wrapped): step(name, from: wrapped)
    case .array(let element), .set(let element), .dictionary(let element, _): element
    // For a case, `_0` may stand for all values.
    case .object(let members):
      members.first { $0.name == name }?.shape
        ?? members.first { $0.name == "_0" }.flatMap { step(name, from: $0.shape) }
    case .choice(let cases): cases.first { $0.name == name }.map { .object($0.values) }
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
    case .string, .formatted(.base64), .formatted(.password): return ""
    case .formatted(.seconds): return 0
    case .formatted(.decimal): return "0"
    case .array, .set: return []
    case .dictionary: return .object([])
    case .object(let members):
      let values = members.map { member in
        (member.name, member.isOptional ? .null : neutral(member.shape, depth: depth + 1))
      }
      guard values.allSatisfy({ $0.1 != nil }) else { return nil }
      return .object(values.compactMap { name, value in value.map { JSONTree.Member(name, $0) } })
    default: return nil
    }
  }
}
