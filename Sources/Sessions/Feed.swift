import Synchronization

/// What can be seen of one session, and who wants to know when that changes.
///
/// A follower registers to be woken and then reads what is current: so no change falls between. It
/// always reads the newest snapshot; what it was too slow for it skips, or keeps.
package final class Feed: Sendable {
  private struct Contents {
    var snapshot: Snapshot?
    var isSettled = true
    var end: SessionEnd?
    var followers: [Int: Registration] = [:]
    var registrations = 0
  }

  private struct Registration {
    let wake: @Sendable () -> Void
    let keeper: (any Follower)?
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
  ///
  /// Who must not skip a new Pulse hands over a keeper, which is told before.
  package func follow(
    keeper: (any Follower)? = nil,
    _ wake: @escaping @Sendable () -> Void
  ) -> Following {
    contents.withLock {
      $0.registrations += 1
      $0.followers[$0.registrations] = Registration(wake: wake, keeper: keeper)
      return Following(number: $0.registrations)
    }
  }

  package func unfollow(_ following: Following) {
    contents.withLock { _ = $0.followers.removeValue(forKey: following.number) }
  }

  package struct Following: Sendable {
    fileprivate let number: Int
  }

  /// Shows a snapshot, unless it shows that version or a later one already.
  ///
  /// A job that was running when the session ended may still publish; that is not seen.
  func publish(_ snapshot: Snapshot) {
    keepCurrent()
    change { contents in
      guard contents.end == nil, contents.snapshot.map({ $0.version < snapshot.version }) != false
      else { return }
      contents.snapshot = snapshot
    }
  }

  /// While it is still current: whoever reads in between would otherwise miss it.
  private func keepCurrent() {
    let (snapshot, followers) = contents.withLock { contents in
      let snapshot = contents.snapshot
      return snapshot?.hasNewPulse == true ? (snapshot, contents.followers) : (nil, [:])
    }
    guard let snapshot else { return }
    for follower in followers.values { follower.keeper?.keep(snapshot, of: self) }
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
    for follower in followers.values { follower.wake() }
  }
}

/// Who follows a feed and has to see every Pulse.
package protocol Follower: AnyObject, Sendable {
  /// A newer snapshot is about to replace this one, in which a Pulse changed.
  func keep(_ snapshot: Snapshot, of feed: Feed)
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
