/// A request of a type to its decoder.
enum Request: Equatable {
  /// A keyed container, with the names of all its keys; nil if they are unknown.
  case keyed([String]?)
  case allKeys
  case contains(String)
  case isNull(String)
  case value(String, Shape)
  /// A keyed container of a member.
  case nested(String, [String]?)
  case single
  case singleValue(Shape)
  /// A request that synthesized code never makes.
  case other

  /// Whether the decoder may answer by throwing.
  var canFail: Bool {
    switch self {
    case .allKeys, .contains, .isNull: false
    default: true
    }
  }
}

/// The answers that a probe gives.
struct Script {
  /// The index of the sample to give for each value, modulo the number of samples.
  var rotation = 0
  /// The index of the single key in the answer to a request for all keys; nil for no key.
  var key: Int? = 0
  /// The index of the request to refuse.
  var failing: Int?
  /// The index of the request to answer with "missing" or "null".
  var negative: Int?
  /// The value to give instead of samples.
  var value: Any?
  /// The shapes of optional members to report as missing because they have no sample.
  var missing: [String: Shape] = [:]
}

/// An attempt to create a value of a type, with the requests that the type has made.
final class Probe {
  let prober: Prober
  let script: Script
  private(set) var requests: [Request] = []

  /// An error thrown where the script says so.
  struct Refusal: Error {}
  /// An error thrown for a value without samples.
  struct NoSample: Error {}

  init(_ prober: Prober, _ script: Script) {
    self.prober = prober
    self.script = script
  }

  /// The maximum number of requests, for types that continue until they are refused.
  private static var maximalCount: Int { 4096 }

  /// Notes a request; throws if the script refuses it.
  func ask(_ request: Request) throws {
    guard requests.count < Self.maximalCount else { throw NoSample() }
    requests.append(request)
    if script.failing == requests.count - 1 { throw Refusal() }
  }

  /// Notes a question and returns the answer: `usual`, unless the script says otherwise.
  func ask(_ request: Request, usual: Bool) -> Bool {
    requests.append(request)
    return script.negative == requests.count - 1 ? !usual : usual
  }

  /// Notes the request for a value and returns a sample.
  func value<T: Decodable>(_ type: T.Type, _ request: (Shape) -> Request) throws -> T {
    let finding = prober.find(type)
    try ask(request(finding.shape))
    if let value = script.value as? T { return value }
    guard !finding.samples.isEmpty else { throw NoSample() }
    return finding.samples[script.rotation % finding.samples.count]
  }
}
