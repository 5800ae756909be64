import Synchronization

/// The last use of a session, and the reasons why it does not expire now.
struct SessionUse: ~Copyable, Sendable {
  // Not private: what holds it lies in another file, and the compiler (6.3) cannot make its layout there.
  struct Contents {
    /// The time of the last use, work aside.
    var used: Duration
    /// The time of the last use or work, from which the idle time counts.
    var idleSince: Duration
    /// The last time that the store has; nil if the store did not take it.
    var stored: Stored?
    var isAtWork = false
    /// Whether an alarm is set: the session does not expire before.
    var hasAlarm = false
    // Narrow, since each session has one.
    var users: Int32 = 0
  }

  /// A last time as the store has it, and how often the calendar had been set before it was stored.
  struct Stored {
    var idleSince: Duration
    var adjustmentCount: Int
  }

  private let contents: Mutex<Contents>

  /// Creates a use that is in the store; the calendar had been set `adjustmentCount` times before it was stored.
  init(idleSince: Duration, adjustmentCount: Int) {
    let stored = Stored(idleSince: idleSince, adjustmentCount: adjustmentCount)
    contents = Mutex(Contents(used: idleSince, idleSince: idleSince, stored: stored))
  }

  /// Restarts the idle time, as the session is used at this moment.
  func touch(_ now: Duration) {
    contents.withLock { ($0.used, $0.idleSince) = (now, now) }
  }

  /// Notes that the session is in use until ``end(_:)``.
  func begin() {
    contents.withLock { $0.users += 1 }
  }

  func end(_ now: Duration) {
    contents.withLock {
      $0.users -= 1
      ($0.used, $0.idleSince) = (now, now)
    }
  }

  /// Notes whether the session is at work.
  func setAtWork(_ isAtWork: Bool, _ now: Duration) {
    contents.withLock {
      if $0.isAtWork { $0.idleSince = now }
      $0.isAtWork = isAtWork
    }
  }

  /// Notes whether an alarm is set, after one was set, has rung or was cancelled.
  func setHasAlarm(_ hasAlarm: Bool, _ now: Duration) {
    contents.withLock {
      if $0.hasAlarm { $0.idleSince = now }
      $0.hasAlarm = hasAlarm
    }
  }

  /// Whether an alarm is set.
  var hasAlarm: Bool { contents.withLock { $0.hasAlarm } }

  /// Whether the session is not in use, and has not been used since a time: its memory may be given back.
  func isUnused(since deadline: Duration) -> Bool {
    contents.withLock { $0.users == 0 && $0.used <= deadline }
  }

  /// Whether the session is unused, was not at work either, and has no alarm: its time may be up.
  func isIdle(since deadline: Duration) -> Bool {
    contents.withLock {
      $0.users == 0 && !$0.isAtWork && !$0.hasAlarm && $0.idleSince <= deadline
    }
  }

  /// The time from which the session's idle time counts.
  var idleSince: Duration { contents.withLock { $0.idleSince } }

  /// Whether the store has the last time, or was given it.
  var isStored: Bool { contents.withLock { $0.stored?.idleSince == $0.idleSince } }

  /// Takes the last time for the store; nil if the store has it, by the current calendar.
  ///
  /// After the calendar was set, it is stored again: the next start would count the step as idle time.
  func takeUnstored(_ now: Duration, adjustmentCount: Int) -> Duration? {
    contents.withLock { contents in
      if contents.users > 0 || contents.isAtWork { contents.idleSince = now }
      if let stored = contents.stored, stored.adjustmentCount == adjustmentCount,
        stored.idleSince >= contents.idleSince
      {
        return nil
      }
      contents.stored = Stored(idleSince: contents.idleSince, adjustmentCount: adjustmentCount)
      return contents.idleSince
    }
  }

  /// Notes that the store did not take what ``takeUnstored(_:adjustmentCount:)`` has returned.
  func notStored() {
    contents.withLock { $0.stored = nil }
  }
}
