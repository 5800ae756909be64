import Synchronization

/// A member of State that is an event: each assignment counts, even of an equal value.
///
/// Two pulses are equal if their values and counts are, so each assignment makes a new version of State. The
/// JSON form is `{"value":…,"pulse":N}`. A client acts when N has grown since it last looked, so reconnecting
/// neither repeats nor loses the newest event.
///
/// The count is part of State. Assign members instead of replacing the whole State: in a new State the count
/// restarts at 0, and clients ignore the pulse until it exceeds the count that they have seen.
///
/// ```swift
/// struct State: Codable, Equatable, Sendable {
///   @Pulse var message: String?
/// }
/// state.message = "Hello"
/// state.message = "Hello"  // counts again
/// ```
@propertyWrapper
public struct Pulse<Value> {
  /// The number of assignments since the first value.
  public private(set) var pulse = 0

  /// The tick of ``PulseClock`` at the last assignment; 0 if there was none.
  ///
  /// The stamp is not part of the value.
  private(set) var stamp: UInt64 = 0

  /// The value; each assignment adds one to the count.
  public var wrappedValue: Value {
    didSet { count() }
  }

  /// Creates a pulse with its first value, which is not an assignment.
  public init(wrappedValue: Value) {
    self.wrappedValue = wrappedValue
  }

  /// The pulse itself: value and count.
  public var projectedValue: Self {
    get { self }
    set { self = newValue }
  }

  /// Counts an assignment of the current value: an event without new data.
  public mutating func fire() {
    count()
  }

  /// Calls a function with the value if it was assigned after the previous State was published.
  ///
  /// Call it within ``Store/state(_:)`` or ``ObservableStore/observe(_:)``; elsewhere there is no previous
  /// State, and the function is never called. Nor is it called for the first State of an observation. Calls
  /// may stand anywhere: in a function for several pulses, or inside an `if`.
  public func updated(_ body: (Value) -> Void) {
    if let horizon = PulseClock.horizon, stamp > horizon { body(wrappedValue) }
  }

  private mutating func count() {
    // A count may come from a client, as part of an Input.
    pulse &+= 1
    stamp = PulseClock.tick()
  }
}

/// A logical clock that counts the assignments of all pulses in the process.
enum PulseClock {
  private static let ticks = Atomic<UInt64>(0)

  /// The time at which the previous State was published, for code that observes a State.
  @TaskLocal static var horizon: UInt64?

  static var now: UInt64 { ticks.load(ordering: .relaxed) }

  static func tick() -> UInt64 { ticks.add(1, ordering: .relaxed).newValue }
}

extension Pulse: Sendable where Value: Sendable {}

extension Pulse: Equatable where Value: Equatable {
  /// Returns whether value and count are equal.
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
  /// A mirror of count and value.
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
