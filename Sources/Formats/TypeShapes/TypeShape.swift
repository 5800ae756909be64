package import FusionStrictJSON

/// The JSON form of a type: its shape, the types that it refers to, and sample values.
package struct TypeShape: Sendable, Codable {
  let root: Shape
  let definitions: [Definition]
  /// Sample values in their written form, with one of each case.
  let samples: [JSONTree]

  /// The names of types without a shape, as each ended a ``Trial``.
  let refused: Set<String>

  /// The shape of an unknown type.
  package static let unknown = TypeShape(root: .any, definitions: [], samples: [], refused: [])

  init(root: Shape, definitions: [Definition], samples: [JSONTree], refused: Set<String>) {
    self.root = root
    self.definitions = definitions
    self.samples = samples
    self.refused = refused
  }

  /// Finds a type's shape in this process.
  ///
  /// Runs the type's own `init(from:)` with invented values.
  init<T: Decodable>(probing type: T.Type) {
    let prober = Prober()
    let finding = prober.find(type)
    let samples = finding.samples.compactMap { sample in
      (sample as? any Encodable).flatMap { try? JSONTree(encoding: $0) }
    }
    self.init(
      root: finding.shape,
      definitions: prober.definitions,
      samples: samples,
      refused: prober.refused
    )
  }

  /// The type's shape, which is not a reference.
  package var shape: Shape { resolved(root) }

  /// Returns the shape that a reference stands for; any other shape as it is.
  func resolved(_ shape: Shape) -> Shape {
    switch shape {
    case .reference(let index): resolved(definitions[index].shape)
    case .storedOnly(let shape): resolved(shape)
    default: shape
    }
  }

  /// Returns the members of a definition that clients see; nil unless it is a struct.
  func shownMembers(of definition: Definition) -> [Shape.Member]? {
    guard case .object(let members) = definition.shape else { return nil }
    guard case .object(let derived) = definition.derived.map(resolved) else {
      return members.filter(\.isShown)
    }
    return members.filter(\.isShown) + derived
  }

  /// The members that clients would get twice, since a derived one has a stored one's name, such as
  /// `Card.title`.
  package var ambiguousMembers: [String] {
    definitions.flatMap { definition in
      var names: Set<String> = []
      return (shownMembers(of: definition) ?? [])
        .filter { !names.insert($0.name).inserted }
        .map { "\(definition.name).\($0.name)" }
    }
  }

  /// Returns whether a written value has the type's shape.
  package func fits(_ written: JSONTree) -> Bool {
    root.fits(written, definitions)
  }

  /// The names of an enum's cases in the order of their declaration; none for other types.
  package var caseNames: [String] {
    switch shape {
    case .choice(let cases): cases.map(\.name)
    case .values(let values):
      values.compactMap { if case .string(let name) = $0 { name } else { nil } }
    default: []
    }
  }

  /// The names of a struct's members that clients see; none for other types.
  package var memberNames: [String] {
    guard case .reference(let index) = root else { return [] }
    return shownMembers(of: definitions[index])?.map(\.name) ?? []
  }
}

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
