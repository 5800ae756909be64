import Synchronization

/// When somebody was with a session last, and whether somebody is.
struct SessionUse: ~Copyable, Sendable {
  // Not private: what holds it lies in another file, and the compiler (6.3) cannot make its layout there.
  struct Contents {
    var last: Duration
    /// Nil where the store did not take it.
    var stored: Stored?
    var users = 0
  }

  /// What the store has, and how often the calendar had been set when it was stored.
  struct Stored {
    var last: Duration
    var steps: Int
  }

  private let contents: Mutex<Contents>

  /// One that the store knows of, by the calendar as it was after so many steps.
  init(last: Duration, steps: Int) {
    contents = Mutex(Contents(last: last, stored: Stored(last: last, steps: steps)))
  }

  /// Somebody is here at this moment: the idle time begins anew.
  func touch(_ now: Duration) {
    contents.withLock { $0.last = now }
  }

  /// Somebody stays.
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

  /// When somebody was here last.
  var lastUse: Duration { contents.withLock { $0.last } }

  /// Whether the store knows when that was, or was told so.
  var isStored: Bool { contents.withLock { $0.stored?.last == $0.last } }

  /// When somebody was here last, if the store does not know of it.
  ///
  /// Nor does it where the calendar was set since: a start would count the step as time.
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

  /// The store did not take what ``takeUnstored(_:)`` has given.
  func notStored() {
    contents.withLock { $0.stored = nil }
  }
}
