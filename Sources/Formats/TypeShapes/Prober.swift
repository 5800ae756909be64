import FusionStrictJSON

/// What is known of a type.
struct Finding<T> {
  let shape: Shape
  /// Values of the type, to make others with and for examples; none where none could be made.
  let samples: [T]
}

/// Finds out how types are written, by asking each to make a value of itself from a decoder that notes
/// what it is asked for.
///
/// So whatever a type says about its coding is heeded: keys that rename, members left out, wrappers.
/// That a type does what synthesised code does is checked by asking again with other answers; of one
/// that does anything else, nothing is claimed. What a struct asks for behind a member of which no
/// value can be made cannot be seen: there its stored properties are believed.
final class Prober {
  private enum Stage {
    case begun, finished
    /// Something it needs was begun and not finished when it was probed; it is probed again.
    case postponed
  }

  private(set) var definitions: [Definition] = []
  private var indices: [ObjectIdentifier: Int] = [:]
  private var stages: [Stage] = []
  /// How often each type was probed.
  private var probes: [Int] = []
  private var samples: [Int: Any] = [:]
  /// How many types are being probed, each for another.
  private var depth = 0

  // Each type is probed with some three attempts for each member, so these bound them all.
  private static var maximalDepth: Int { 32 }
  private static var maximalCount: Int { 256 }
  private static var maximalProbes: Int { 4 }
  /// How many generic types may stand in each other: they can nest without end, and each level doubles
  /// what the runtime has to look up.
  private static var maximalNesting: Int { 6 }

  func find<T: Decodable>(_ type: T.Type) -> Finding<T> {
    if let structural = type as? any Structural.Type {
      let (shape, samples) = structural.find(by: self)
      return Finding(shape: shape, samples: samples as? [T] ?? [])
    }
    guard depth < Self.maximalDepth else { return Finding(shape: .any, samples: []) }
    depth += 1
    defer { depth -= 1 }
    let id = ObjectIdentifier(type)
    let index = indices[id] ?? definitions.count
    if index == definitions.count {
      let name = "\(type)"
      let nesting = name.count { $0 == "<" }
      guard index < Self.maximalCount, nesting <= Self.maximalNesting else {
        return Finding(shape: .any, samples: [])
      }
      indices[id] = index
      definitions.append(Definition(name: name))
      stages.append(.postponed)
      probes.append(0)
    }
    if stages[index] == .postponed {
      stages[index] = .begun
      probes[index] += 1
      probe(type, as: index)
    }
    return Finding(shape: .reference(index), samples: samples[index] as? [T] ?? [])
  }

  func shape<T: Decodable>(of type: T.Type) -> Shape { find(type).shape }

  /// The shape, looked up where it is a type of its own.
  func resolved(_ shape: Shape) -> Shape {
    if case .reference(let index) = shape { resolved(definitions[index].shape) } else { shape }
  }

  private func probe<T: Decodable>(_ type: T.Type, as index: Int) {
    let attempt = TypeProbe(type, self) { [self] in samples[index] = $0 }
    let shape = attempt.shape() ?? .any
    definitions[index].shape = shape
    samples[index] = attempt.samples
    let isWaiting =
      attempt.lacksSample && probes[index] < Self.maximalProbes
      && stages.indices.contains { $0 != index && stages[$0] == .begun }
    stages[index] = isWaiting ? .postponed : .finished
    definitions[index].isWrittenAlike =
      attempt.samples.isEmpty
      ? attempt.isTakenFromProperties && type is any Encodable.Type
      : isWrittenAlike(attempt.samples, shape)
  }

  /// Makes a value of the type by a script.
  func run<T: Decodable>(_ type: T.Type, _ script: Script) -> Attempt<T> {
    let probe = Probe(self, script)
    let result = Result { try T(from: ProbingDecoder(probe: probe)) }
    return Attempt(requests: probe.requests, result: result)
  }

  private func isWrittenAlike<T>(_ samples: [T], _ shape: Shape) -> Bool {
    let samples = samples.compactMap { $0 as? any Encodable }
    return !samples.isEmpty
      && samples.allSatisfy { sample in
        (try? JSONTree(encoding: sample)).map { shape.fits($0, definitions) } ?? false
      }
  }
}

/// What came of asking a type once.
struct Attempt<T> {
  let requests: [Request]
  let result: Result<T, any Error>

  var value: T? { try? result.get() }

  var isRefused: Bool {
    if case .failure(let error) = result { error is Probe.Refusal } else { false }
  }

  var lacksSample: Bool {
    if case .failure(let error) = result { error is Probe.NoSample } else { false }
  }
}
