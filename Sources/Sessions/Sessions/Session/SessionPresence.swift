import Synchronization
package import UIFusionKit

/// The presence of visitors in a session, of which its view model is told by Inputs: see ``PresenceObserving``.
///
/// No function runs a turn, so each may be called under locks.
final class SessionPresence: Sendable {
  private struct Contents {
    var visitors = VisitorTable()
    /// Whether a task tells the view model.
    var isTelling = false
  }

  /// The time until a view model is told again whose mailbox was full.
  private static let pause = Duration.seconds(1)

  private let input: @Sendable (PresenceChange) -> InputList?
  private let contents = Mutex(Contents())

  init(_ input: @escaping @Sendable (PresenceChange) -> InputList?) {
    self.input = input
  }

  func enter(_ visitor: Visitor, _ session: Session) {
    contents.withLock { $0.visitors.enter(visitor) }
    tell(session)
  }

  func leave(_ visitor: Visitor, _ session: Session) {
    let isAway = contents.withLock { $0.visitors.leave(visitor, session.time.now) }
    guard isAway else { return }
    wait(for: VisitorTable.grace, session) { [self] in
      contents.withLock { $0.visitors.expire(visitor.id, session.time.now) }
    }
  }

  /// Begins to tell a new instance.
  func restart(_ session: Session, isRestored: Bool) {
    let generation = contents.withLock { contents in
      contents.visitors.restart(isRestored: isRestored)
      return contents.visitors.generation
    }
    guard isRestored else { return tell(session) }
    wait(for: VisitorTable.grace, session) { [self] in
      contents.withLock { $0.visitors.endReturn(generation) }
    }
    tell(session)
  }

  /// Keeps the session in use for a time, and tells the view model what has changed then.
  private func wait(
    for time: Duration,
    _ session: Session,
    _ change: @escaping @Sendable () -> Void
  ) {
    session.beginUse()
    _ = session.context.timeouts.start(after: time) { [self] in
      change()
      tell(session)
      session.endUse()
    }
  }

  /// Tells the view model all there is to tell, in the pool.
  private func tell(_ session: Session) {
    let begins = contents.withLock { contents in
      guard contents.visitors.hasNews, !contents.isTelling else { return false }
      contents.isTelling = true
      return true
    }
    guard begins else { return }
    session.beginUse()
    Task.detached(executorPreference: session.context.dependencies.executor) { [self] in
      tellAll(session)
      session.endUse()
    }
  }

  private func tellAll(_ session: Session) {
    while true {
      let next: (change: PresenceChange, generation: Int)? = contents.withLock { contents in
        // A service that stops tells nobody: its clients go on elsewhere.
        guard !session.context.timeouts.isOver, let change = contents.visitors.next else {
          contents.isTelling = false
          return nil
        }
        return (change, contents.visitors.generation)
      }
      guard let (change, generation) = next else { return }
      switch submit(change, to: session) {
      case .accepted: contents.withLock { $0.visitors.told(change, generation) }
      case .full:
        contents.withLock { $0.isTelling = false }
        return wait(for: Self.pause, session) {}
      case .closed:
        let isOver = contents.withLock { contents in
          // A next instance that has begun meanwhile found that it was being told.
          if contents.visitors.generation == generation { contents.isTelling = false }
          return !contents.isTelling
        }
        if isOver { return }
      }
    }
  }

  private func submit(_ change: PresenceChange, to session: Session) -> Submission {
    guard let engine = session.instance?.engine else { return .closed }
    guard let inputs = input(change) else { return .accepted }
    return engine.submit(InputBatch(inputs, owner: PresenceInput()))
  }
}

/// The owner of an Input that the service sends by itself, outside of any trace.
private final class PresenceInput: BatchOwner {
  func proceed(_ progress: InputBatch.Progress) {}
}

/// Visitors of a session.
extension Session {
  /// Whether the view model is told who is there.
  package var isToldOfVisitors: Bool { presence != nil }

  /// Notes that a visitor follows the session, until ``leave(_:)``; visits are counted.
  package func enter(_ visitor: Visitor) { presence?.enter(visitor, self) }

  package func leave(_ visitor: Visitor) { presence?.leave(visitor, self) }
}
