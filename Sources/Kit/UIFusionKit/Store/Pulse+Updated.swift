import Synchronization

extension Pulse {
  /// Calls a function if the value was assigned since the State before was published.
  ///
  /// Meant for ``Store/state(_:)``; the State with which observing begins is no assignment. Anywhere
  /// else no State is before, and nothing is called. It does not matter where the call stands: in a
  /// function for several Pulses, or behind an `if` that was false so far.
  public func updated(_ body: (Value) -> Void) {
    if let horizon = PulseClock.horizon, stamp > horizon { body(wrappedValue) }
  }
}

/// Counts the assignments of all Pulses in the process: a time that tells which came before a State.
enum PulseClock {
  private static let ticks = Atomic<UInt64>(0)

  /// Until when an assignment belongs to the State before, for who looks at a State now.
  @TaskLocal static var horizon: UInt64?

  static var now: UInt64 { ticks.load(ordering: .relaxed) }

  static func tick() -> UInt64 { ticks.add(1, ordering: .relaxed).newValue }
}
