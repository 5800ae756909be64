/// A State member that is an event: each assignment counts, even of an equal value.
///
/// Two pulses are equal when value and count are, so assigning always makes a new version of State.
/// On the wire it is `{"value":…,"pulse":N}`; a client acts when N has grown since it last looked, so
/// connecting again neither repeats nor loses the newest one.
///
/// The count belongs to the value: replacing a whole State by a fresh one begins anew at 0, and clients
/// would take no notice until it has passed what they saw. Assign members instead.
///
/// ```swift
/// struct State: Codable, Equatable, Sendable {
///   @Pulse var message: String?
/// }
/// state.message = "Hello"
/// state.message = "Hello"  // noticed again
/// ```
@propertyWrapper
public struct Pulse<Value> {
  /// How often a value was assigned since the first.
  public private(set) var pulse = 0

  /// When it was last assigned, by the clock of pulses; 0 for not since it was made.
  ///
  /// No part of the value.
  private(set) var stamp: UInt64 = 0

  /// The value; each assignment counts.
  public var wrappedValue: Value {
    didSet { count() }
  }

  /// The first value, which is no assignment yet.
  public init(wrappedValue: Value) {
    self.wrappedValue = wrappedValue
  }

  /// The value together with its count.
  public var projectedValue: Self {
    get { self }
    set { self = newValue }
  }

  /// Counts an assignment of the value that is there: an event that carries nothing new.
  public mutating func fire() {
    count()
  }

  private mutating func count() {
    pulse += 1
    stamp = PulseClock.tick()
  }
}

extension Pulse: Sendable where Value: Sendable {}

extension Pulse: Equatable where Value: Equatable {
  /// Whether value and count are equal.
  public static func == (one: Self, other: Self) -> Bool {
    one.pulse == other.pulse && one.wrappedValue == other.wrappedValue
  }
}

extension Pulse: Hashable where Value: Hashable {
  /// Hashes value and count.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(pulse)
    hasher.combine(wrappedValue)
  }
}

extension Pulse: CustomReflectable {
  /// Count and value.
  public var customMirror: Mirror {
    Mirror(self, children: ["pulse": pulse, "wrappedValue": wrappedValue], displayStyle: .struct)
  }
}

private enum CodingKeys: String, CodingKey {
  case value, pulse
}

extension Pulse: Encodable where Value: Encodable {
  /// Writes value and count.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(wrappedValue, forKey: .value)
    try container.encode(pulse, forKey: .pulse)
    PulseCounts.add(pulse)
  }
}

extension Pulse: Decodable where Value: Decodable {
  /// Reads value and count.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    wrappedValue = try container.decode(Value.self, forKey: .value)
    pulse = try container.decode(Int.self, forKey: .pulse)
  }
}
