import Synchronization

/// What can be seen of one session, and who wants to know when that changes.
///
/// A follower registers to be woken and then reads what is current: so no change falls between. It
/// always reads the newest snapshot; what it was too slow for, it skips.
package final class Feed: Sendable {
  private struct Contents {
    var snapshot: Snapshot?
    var isSettled = true
    var end: SessionEnd?
    var followers: [Int: @Sendable () -> Void] = [:]
    var registrations = 0
  }

  private let contents = Mutex(Contents())

  package init() {}

  /// What is current, in one step.
  package var current: Sighting {
    contents.withLock {
      Sighting(snapshot: $0.snapshot, isSettled: $0.isSettled, end: $0.end)
    }
  }

  /// How many follow.
  package var followers: Int { contents.withLock { $0.followers.count } }

  /// From here on, `wake` is called after every change, on the thread that makes it.
  package func follow(_ wake: @escaping @Sendable () -> Void) -> Following {
    contents.withLock {
      $0.registrations += 1
      $0.followers[$0.registrations] = wake
      return Following(number: $0.registrations)
    }
  }

  package func unfollow(_ following: Following) {
    contents.withLock { _ = $0.followers.removeValue(forKey: following.number) }
  }

  package struct Following: Sendable {
    fileprivate let number: Int
  }

  /// A job that was running when the session ended may still publish; that is not seen.
  func publish(_ snapshot: Snapshot) {
    change { if $0.end == nil { $0.snapshot = snapshot } }
  }

  func settle(_ isSettled: Bool) {
    contents.withLock { $0.isSettled = isSettled }
  }

  func end(_ end: SessionEnd) {
    change { $0.end = $0.end ?? end }
  }

  private func change(_ body: (inout Contents) -> Void) {
    let followers = contents.withLock { contents in
      body(&contents)
      return contents.followers
    }
    for wake in followers.values { wake() }
  }
}

/// A look at a session.
package struct Sighting: Sendable {
  /// Nil only while the session is being opened.
  package let snapshot: Snapshot?
  /// Whether nothing that the session was asked to do is left.
  package let isSettled: Bool
  /// Why there will be no more, where there won't.
  package let end: SessionEnd?
}

/// Why a session is over.
package enum SessionEnd: String, Sendable {
  case deleted
  case expired
}
