import Synchronization

/// When somebody was with a session last, and whether somebody is.
final class SessionUse: Sendable {
  private struct Contents {
    var last: Duration
    /// Nil where the store did not take it.
    var stored: Duration?
    var users = 0
  }

  private let contents: Mutex<Contents>

  init(last: Duration) {
    contents = Mutex(Contents(last: last, stored: last))
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

  /// When somebody was here last, if the store does not know of it.
  func takeUnstored(_ now: Duration) -> Duration? {
    contents.withLock { contents in
      if contents.users > 0 { contents.last = now }
      guard contents.stored.map({ $0 < contents.last }) != false else { return nil }
      contents.stored = contents.last
      return contents.last
    }
  }

  /// The store did not take what ``takeUnstored(_:)`` has given.
  func notStored() {
    contents.withLock { $0.stored = nil }
  }
}
