import Synchronization

extension Pulse {
  /// Calls a function if the value was assigned since this very call last looked.
  ///
  /// Meant for ``Store/state(_:)``; the State with which observing begins is no assignment. Anywhere
  /// else there is no "last", and nothing is called.
  public func updated(
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    _ body: (Value) -> Void
  ) {
    let place = SeenPulses.Place(file: "\(file)", line: line, column: column)
    if SeenPulses.current?.isNew(pulse, at: place) == true { body(wrappedValue) }
  }
}

/// The counts that one observation has seen, by where it looks.
final class SeenPulses: Sendable {
  struct Place: Hashable {
    let file: String
    let line: UInt
    let column: UInt
  }

  @TaskLocal static var current: SeenPulses?

  /// Whether this is the State with which observing begins.
  let isFirst = Atomic(true)
  private let seen = Mutex<[Place: Int]>([:])

  func isNew(_ pulse: Int, at place: Place) -> Bool {
    let isFirst = isFirst.load(ordering: .relaxed)
    return seen.withLock { seen in
      // A place that is first reached later has seen what was there before: nothing.
      let before = seen.updateValue(pulse, forKey: place) ?? (isFirst ? pulse : 0)
      return pulse > before
    }
  }
}
