import FusionStrictJSON
import UIFusionKit

/// The result of probing a type.
struct Finding<T> {
  let shape: Shape
  /// Values of the type, for examples and as parts of other values; empty if none could be created.
  let samples: [T]
}

/// A collector of type shapes, which runs each type's `init(from:)` with a decoder that notes its requests.
///
/// The shape reflects a type's real coding: renamed keys, omitted members, wrappers. Further runs with other
/// answers check that a type behaves like synthesized code; other types get no shape. If no value of a member
/// can be created, the requests after it are unknown, and the shape comes from the struct's stored
/// properties.
final class Prober {
  private enum Stage {
    case started, finished
    /// A type that this one needs was unfinished: this one is probed again.
    case postponed
  }

  private(set) var definitions: [Definition] = []
  private var indices: [ObjectIdentifier: Int] = [:]
  private var stages: [Stage] = []
  /// The number of times that each type was probed.
  private var attempts: [Int] = []
  private var samples: [Int: Any] = [:]
  /// The types that are not tried, since they ended a trial.
  private(set) var refused: Set<String> = []
  /// The number of types being probed, nested in each other.
  private var depth = 0

  // These limits bound the time: a type takes about three runs for each member.
  private static var maximalDepth: Int { 32 }
  private static var maximalCount: Int { 256 }
  private static var maximalAttempts: Int { 4 }
  /// The maximum nesting of generic types, which is otherwise unbounded: each level doubles the runtime's
  /// work.
  private static var maximalNesting: Int { 6 }

  /// Returns a type's shape and samples; probes the type if needed.
  func find<T: Decodable>(_ type: T.Type) -> Finding<T> {
    if let structural = type as? any Structural.Type {
      let (shape, samples) = structural.find(by: self)
      return Finding(shape: shape, samples: samples as? [T] ?? [])
    }
    // A type that must not decode an invented value has no shape.
    guard depth < Self.maximalDepth, CheckedForm(of: type) == nil else {
      return Finding(shape: .any, samples: [])
    }
    depth += 1
    defer { depth -= 1 }
    let id = ObjectIdentifier(type)
    let index = indices[id] ?? definitions.count
    if index == definitions.count {
      let name = "\(type)"
      if Trial.isRefused(type) {
        refused.insert(name)
        return Finding(shape: .any, samples: [])
      }
      let nesting = name.count { $0 == "<" }
      guard index < Self.maximalCount, nesting <= Self.maximalNesting else {
        return Finding(shape: .any, samples: [])
      }
      indices[id] = index
      definitions.append(Definition(name: name, isReadOnly: type is PresenceChange.Type))
      stages.append(.postponed)
      attempts.append(0)
    }
    if stages[index] == .postponed {
      stages[index] = .started
      attempts[index] += 1
      Trial.running(type) { probe(type, as: index) }
    }
    let found = definitions[index].shape
    let shape = if case .storedOnly = found { found } else { Shape.reference(index) }
    return Finding(shape: shape, samples: samples[index] as? [T] ?? [])
  }

  func shape<T: Decodable>(of type: T.Type) -> Shape { find(type).shape }

  /// Returns the shape that a reference stands for; any other shape as it is.
  func resolved(_ shape: Shape) -> Shape {
    if case .reference(let index) = shape { resolved(definitions[index].shape) } else { shape }
  }

  private func probe<T: Decodable>(_ type: T.Type, as index: Int) {
    StrictJSON.prepare(type)
    let attempt = TypeProbe(type, self) { [self] in samples[index] = $0 }
    let shape = attempt.shape() ?? .any
    definitions[index].shape = shape
    samples[index] = attempt.samples
    let isWaiting =
      attempt.lacksSample && attempts[index] < Self.maximalAttempts
      && stages.indices.contains { $0 != index && stages[$0] == .started }
    stages[index] = isWaiting ? .postponed : .finished
    definitions[index].isWrittenAlike =
      attempt.samples.isEmpty
      ? attempt.isTakenFromProperties && type is any Encodable.Type
      : isWrittenAlike(attempt.samples, shape)
    if let type = type as? any MemberDeriving.Type { addDerivedMembers(of: type, to: index) }
  }

  private func addDerivedMembers<T: MemberDeriving>(of type: T.Type, to index: Int) {
    if case .reference(let derived) = shape(of: T.Derived.self),
      case .object = definitions[derived].shape, definitions[derived].isWrittenAlike
    {
      definitions[index].derived = .reference(derived)
    } else {
      definitions[index].isWrittenAlike = false
    }
  }

  /// Runs a type's `init(from:)` once, with the answers of a script.
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

/// The outcome of one run of a type's `init(from:)`.
struct Attempt<T> {
  let requests: [Request]
  let result: Result<T, any Error>

  var value: T? { try? result.get() }

  /// Whether the type gave up at a refused request.
  var isRefused: Bool {
    if case .failure(let error) = result { error is Probe.Refusal } else { false }
  }

  /// Whether the type asked for a value without samples.
  var lacksSample: Bool {
    if case .failure(let error) = result { error is Probe.NoSample } else { false }
  }
}
