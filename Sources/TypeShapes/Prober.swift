import StrictJSON

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
/// that does anything else, nothing is claimed.
final class Prober {
  private enum Progress {
    case begun, finished
    /// Something it needs was begun and not finished when it was probed; it is probed again.
    case postponed
  }

  private(set) var definitions: [Definition] = []
  private var indices: [ObjectIdentifier: Int] = [:]
  private var progress: [Progress] = []
  private var samples: [Int: Any] = [:]
  /// How many more attempts are made.
  private var attempts = 20_000
  /// How many types are being probed, each for another; generic types can nest without end.
  private var depth = 0
  private static var deepest: Int { 32 }

  func find<T: Decodable>(_ type: T.Type) -> Finding<T> {
    guard depth < Self.deepest else { return Finding(shape: .any, samples: []) }
    depth += 1
    defer { depth -= 1 }
    if let structural = type as? any Structural.Type {
      let (shape, samples) = structural.find(by: self)
      return Finding(shape: shape, samples: samples as? [T] ?? [])
    }
    let id = ObjectIdentifier(type)
    let index = indices[id] ?? definitions.count
    if index == definitions.count {
      indices[id] = index
      definitions.append(Definition(name: "\(type)"))
      progress.append(.postponed)
    }
    if progress[index] == .postponed {
      progress[index] = .begun
      probe(type, as: index)
    }
    return Finding(shape: .reference(index), samples: samples[index] as? [T] ?? [])
  }

  /// The shape, looked up where it is a type of its own.
  func resolved(_ shape: Shape) -> Shape {
    if case .reference(let index) = shape { resolved(definitions[index].shape) } else { shape }
  }

  private func probe<T: Decodable>(_ type: T.Type, as index: Int) {
    let attempt = TypeProbe(type, self) { [self] in samples[index] = $0 }
    definitions[index].shape = attempt.shape() ?? .any
    samples[index] = attempt.samples
    let isWaiting =
      attempt.lacksSample
      && progress.indices.contains {
        $0 != index && progress[$0] == .begun
      }
    progress[index] = isWaiting ? .postponed : .finished
    definitions[index].isWrittenAlike = isWrittenAlike(attempt.samples, definitions[index].shape)
  }

  /// Makes a value of the type by a script.
  func run<T: Decodable>(_ type: T.Type, _ script: Script) -> Attempt<T> {
    let probe = Probe(self, script)
    attempts -= 1
    guard attempts > 0 else { return Attempt(requests: [], result: .failure(Probe.NoSample())) }
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
