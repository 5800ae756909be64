/// Watches sessions, awake or asleep, without any effect on them.
package final class Watcher: Sendable {
  /// The time for which a trace without followers goes on, so that they can come back.
  private static let traceGrace = Duration.seconds(30)

  private let directory: LockedDirectory
  private let context: SessionContext

  init(_ directory: LockedDirectory, _ context: SessionContext) {
    (self.directory, self.context) = (directory, context)
  }

  /// Whether sessions may be watched.
  package var isEnabled: Bool { context.traces != nil }

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
    directory.resident(id)?.watch()
    return following
  }

  package func unwatch(_ id: SessionID, _ following: SessionTrace.Following) {
    let trace = following.trace
    guard trace.unfollow(following) else { return }
    _ = context.timeouts.start(after: Self.traceGrace) { [weak self] in
      guard let self, context.traces?.forget(trace, of: id) == true else { return }
      let session = directory.resident(id)
      session?.watch(false)
      // Another follower may have come since.
      if context.traces?.isWatched(id) == true { session?.watch() }
    }
  }
}
