import Synchronization

/// The current snapshot of a session, and the followers that are woken when it changes.
///
/// A follower registers to be woken and then reads the current snapshot: so no change falls between. A follower that is
/// too slow for a snapshot skips it, unless a Pulse changed in it.
package final class SnapshotFeed: Sendable {
  private struct Contents {
    var snapshot: Snapshot?
    var followers = Followers()
    var isSettled = true
    var end: SessionEnd?
    var hasMoved = false

    func isReplaced(by next: Snapshot) -> Bool {
      end == nil && snapshot.map { $0.version < next.version } != false
    }
  }

  private let contents = Mutex(Contents())

  package init() {}

  /// The current view, read in one step.
  package var current: CurrentView {
    contents.withLock {
      CurrentView(
        snapshot: $0.snapshot,
        isSettled: $0.isSettled,
        end: $0.end,
        hasMoved: $0.hasMoved
      )
    }
  }

  /// The number of followers.
  package var followers: Int { contents.withLock { Int($0.followers.count) } }

  /// Registers `wake`, which is called after each new snapshot and at the end, on the thread that makes it.
  ///
  /// A `follower` that must not skip a new Pulse is told before a snapshot with one is replaced.
  package func follow(
    _ follower: (any Follower)? = nil,
    _ wake: @escaping @Sendable () -> Void
  ) -> Following {
    contents.withLock {
      Following(number: $0.followers.add(Followers.Element(wake: wake, follower: follower)))
    }
  }

  package func unfollow(_ following: Following) {
    contents.withLock { $0.followers.remove(following.number) }
  }

  package struct Following: Sendable {
    fileprivate let number: Int
  }

  /// Shows a snapshot, unless it shows that version or a later one already, and whether the session is
  /// settled; nil leaves either as it is.
  ///
  /// A job that was running when the session ended may still commit; that is not seen.
  package func show(_ snapshot: Snapshot?, isSettled: Bool? = nil) {
    if let snapshot { announce(replacingBy: snapshot) }
    let followers: Followers? = contents.withLock { contents in
      if let isSettled { contents.isSettled = isSettled }
      guard let snapshot, contents.isReplaced(by: snapshot) else { return nil }
      contents.snapshot = snapshot
      return contents.followers.isEmpty ? nil : contents.followers
    }
    guard let followers else { return }
    followers.forEach { $0.wake() }
  }

  /// Announces a replacement while the old snapshot is still current; otherwise a reader in between would miss its
  /// Pulse.
  private func announce(replacingBy next: Snapshot) {
    let missed: (Snapshot, Followers)? = contents.withLock { contents in
      guard !contents.followers.isEmpty, let snapshot = contents.snapshot, snapshot.hasNewPulse,
        contents.isReplaced(by: next)
      else { return nil }
      return (snapshot, contents.followers)
    }
    guard let (snapshot, followers) = missed else { return }
    followers.forEach { $0.follower?.willReplace(snapshot, of: self) }
  }

  package func end(_ end: SessionEnd) {
    let followers = contents.withLock { contents in
      contents.end = contents.end ?? end
      return contents.followers
    }
    followers.forEach { $0.wake() }
  }

  /// Tells followers that the session goes on at another node: nothing more is shown here.
  package func move() {
    let followers = contents.withLock { contents in
      contents.hasMoved = true
      return contents.followers
    }
    followers.forEach { $0.wake() }
  }
}

/// A follower of a feed that has to see every Pulse.
package protocol Follower: AnyObject, Sendable {
  /// A newer snapshot is about to replace this one, in which a Pulse changed.
  func willReplace(_ snapshot: Snapshot, of feed: SnapshotFeed)
}

/// The view of a session at one moment.
package struct CurrentView: Sendable {
  /// The snapshot; nil only while the session is being opened.
  package let snapshot: Snapshot?
  /// Whether nothing that the session was asked to do is left.
  package let isSettled: Bool
  /// The reason why the session has ended; nil while it has not.
  package let end: SessionEnd?
  /// Whether it goes on at another node, and there is nothing more to see here.
  package let hasMoved: Bool
}
