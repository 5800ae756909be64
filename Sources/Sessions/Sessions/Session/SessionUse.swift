import Synchronization

/// The last use of a session, and who uses it now.
struct SessionUse: ~Copyable, Sendable {
  // Not private: what holds it lies in another file, and the compiler (6.3) cannot make its layout there.
  struct Contents {
    var last: Duration
    /// The last use that the store has; nil where the store did not take it.
    var stored: Stored?
    var users = 0
  }

  /// A last use in the store, and how often the calendar had been set when it was stored.
  struct Stored {
    var last: Duration
    var steps: Int
  }

  private let contents: Mutex<Contents>

  /// Creates a use that the store has, by the calendar as it was after so many steps.
  init(last: Duration, steps: Int) {
    contents = Mutex(Contents(last: last, stored: Stored(last: last, steps: steps)))
  }

  /// Begins the idle time anew, as somebody uses the session at this moment.
  func touch(_ now: Duration) {
    contents.withLock { $0.last = now }
  }

  /// Notes that somebody uses the session until ``end(_:)``.
  func begin() {
    contents.withLock { $0.users += 1 }
  }

  func end(_ now: Duration) {
    contents.withLock {
      $0.users -= 1
      $0.last = now
    }
  }

  func isIdle(since deadline: Duration) -> Bool {
    contents.withLock { $0.users == 0 && $0.last <= deadline }
  }

  /// When somebody used the session last.
  var lastUse: Duration { contents.withLock { $0.last } }

  /// Whether the store has the last use, or was given it.
  var isStored: Bool { contents.withLock { $0.stored?.last == $0.last } }

  /// Takes the last use for the store; nil where the store has it, by the calendar of today.
  ///
  /// After the calendar was set, the use is stored again: the next start would count the step as idle time.
  func takeUnstored(_ now: Duration, steps: Int) -> Duration? {
    contents.withLock { contents in
      if contents.users > 0 { contents.last = now }
      if let stored = contents.stored, stored.steps == steps, stored.last >= contents.last {
        return nil
      }
      contents.stored = Stored(last: contents.last, steps: steps)
      return contents.last
    }
  }

  /// Notes that the store did not take the use that ``takeUnstored(_:steps:)`` has returned.
  func notStored() {
    contents.withLock { $0.stored = nil }
  }
}
