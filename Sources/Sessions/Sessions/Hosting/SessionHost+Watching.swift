import Synchronization

/// Sessions that clients watch.
extension SessionHost {
  /// The time for which a trace without followers goes on, so that they can come back.
  private static let traceGrace = Duration.seconds(30)

  /// Whether other nodes share the store.
  package var isShared: Bool { ownership.isShared }

  /// Whether sessions may be watched.
  package var isWatchable: Bool { context.traces != nil }

  /// Returns a session that is in memory; unlike ``find(_:)`` it leaves the session's idle time as it is.
  package func peek(_ id: SessionID) -> SessionLookup {
    if let session = table.withLock({ $0.live(id) }) { return .live(session) }
    return find(id)
  }

  /// Begins to watch a session, awake or asleep, without any effect on it; nil if no session may be watched.
  ///
  /// The trace's next event tells what is at work, if the session is awake. Call ``unwatch(_:_:)`` later.
  package func watch(
    _ id: SessionID,
    _ wake: @escaping @Sendable () -> Void
  ) -> SessionTrace.Following? {
    guard let trace = context.traces?.trace(of: id) else { return nil }
    let following = trace.follow(wake)
    // A trace that was just forgotten gets no events.
    guard context.traces?.trace(of: id) === trace else { return watch(id, wake) }
    table.withLock { $0.live(id) }?.watch()
    return following
  }

  package func unwatch(_ id: SessionID, _ following: SessionTrace.Following) {
    let trace = following.trace
    guard trace.unfollow(following) else { return }
    _ = timeouts.start(after: Self.traceGrace) { [weak self] in
      guard let self, context.traces?.forget(trace, of: id) == true else { return }
      let session = table.withLock { $0.live(id) }
      session?.watch(false)
      // Another follower may have come since.
      if context.traces?.isWatched(id) == true { session?.watch() }
    }
  }
}
