/// Something that a type asked its decoder for.
enum Request: Equatable {
  /// An object, with the names of all members that it can have.
  case keyed([String]?)
  case allKeys
  case contains(String)
  case isNull(String)
  case value(String, Shape)
  /// A member's object.
  case nested(String, [String]?)
  case single
  case singleValue(Shape)
  /// What no synthesised implementation asks for.
  case other

  var canFail: Bool {
    switch self {
    case .allKeys, .contains, .isNull: false
    default: true
    }
  }
}

/// What a probe answers.
struct Script {
  /// Which of a value's samples is given.
  var rotation = 0
  /// Which member an object has, where a type asks for all that there are; nil for none.
  var key: Int? = 0
  /// The request that is refused.
  var failing: Int?
  /// The request that is answered with "it is not there" or "it is null".
  var negative: Int?
  /// The single value, whatever its samples are.
  var value: Any?
  /// Optional members that are said not to be there, because there is no value to give; their shapes.
  var missing: [String: Shape] = [:]
}

/// One attempt to make a value of a type, and what the type asked for.
final class Probe {
  let prober: Prober
  let script: Script
  private(set) var requests: [Request] = []

  /// Thrown where the script says so.
  struct Refusal: Error {}
  /// Thrown where there is nothing to give.
  struct NoSample: Error {}

  init(_ prober: Prober, _ script: Script) {
    self.prober = prober
    self.script = script
  }

  /// No type asks for so much unless it goes on until it is refused.
  private static var most: Int { 4096 }

  func ask(_ request: Request) throws {
    guard requests.count < Self.most else { throw NoSample() }
    requests.append(request)
    if script.failing == requests.count - 1 { throw Refusal() }
  }

  /// Whether the answer to this question is yes; usually it is `usual`.
  func ask(_ request: Request, usual: Bool) -> Bool {
    requests.append(request)
    return script.negative == requests.count - 1 ? !usual : usual
  }

  func value<T: Decodable>(_ type: T.Type, _ request: (Shape) -> Request) throws -> T {
    let finding = prober.find(type)
    try ask(request(finding.shape))
    if let value = script.value as? T { return value }
    guard !finding.samples.isEmpty else { throw NoSample() }
    return finding.samples[script.rotation % finding.samples.count]
  }
}
