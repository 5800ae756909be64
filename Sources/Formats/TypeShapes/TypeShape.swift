package import FusionStrictJSON

/// A type as JSON shows it: its names, its shape, and values of it.
package struct TypeShape: Sendable {
  let root: Shape
  let definitions: [Definition]
  /// Values as they are written, for examples; they hold one of each case.
  let samples: [JSONTree]

  /// A type of which nothing is known.
  package static let unknown = TypeShape(root: .any, definitions: [], samples: [])

  /// Finds out how a type is written, which takes some milliseconds.
  ///
  /// Runs the type's own `init(from:)`, with values such as any client may send.
  package init(of type: Any.Type) {
    if let type = type as? any Decodable.Type {
      self.init(probing: type)
    } else {
      self.init(root: .any, definitions: [], samples: [])
    }
  }

  private init(root: Shape, definitions: [Definition], samples: [JSONTree]) {
    self.root = root
    self.definitions = definitions
    self.samples = samples
  }

  private init<T: Decodable>(probing type: T.Type) {
    let prober = Prober()
    let finding = prober.find(type)
    let samples = finding.samples.compactMap { sample in
      (sample as? any Encodable).flatMap { try? JSONTree(encoding: $0) }
    }
    self.init(root: finding.shape, definitions: prober.definitions, samples: samples)
  }

  /// The shape, looked up where it is a type of its own.
  package var shape: Shape { resolved(root) }

  func resolved(_ shape: Shape) -> Shape {
    if case .reference(let index) = shape { resolved(definitions[index].shape) } else { shape }
  }

  /// Whether a value that was written is as this says.
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

  /// The names of a struct's members; none for other types.
  package var memberNames: [String] {
    if case .object(let members) = shape { members.map(\.name) } else { [] }
  }
}
