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
