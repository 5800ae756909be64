import Synchronization
package import UIFusionKit

/// The presence of visitors in a session, of which its view model is told by Inputs: see ``PresenceObserving``.
///
/// No function runs a turn, so each may be called under locks.
final class SessionPresence: Sendable {
  private struct Contents {
    var visitors = VisitorTable()
    /// The generation whose instance is being told of a change, one at a time; nil while none is.
    var telling: Int?
  }

  /// The pause before a view model is told again whose mailbox was full.
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

  /// Tells the view model of changes, in the pool, unless it is being told already.
  private func tell(_ session: Session) {
    let begun: Int? = contents.withLock { contents in
      let generation = contents.visitors.generation
      guard contents.visitors.hasNews, contents.telling != generation else { return nil }
      contents.telling = generation
      return generation
    }
    guard let generation = begun else { return }
    session.beginUse()
    Task.detached(executorPreference: session.context.dependencies.executor) { [self] in
      tellNext(generation, session)
    }
  }

  private func tellNext(_ generation: Int, _ session: Session) {
    let next: (PresenceChange, isVisited: Bool)? = contents.withLock { contents in
      // A stopping service tells no view model: its clients go on elsewhere.
      guard !session.context.timeouts.isOver, contents.visitors.generation == generation else {
        return nil
      }
      return contents.visitors.next.map { ($0, contents.visitors.isVisited(after: $0)) }
    }
    guard let (change, isVisited) = next else { return end(.nothing, generation, session) }
    // A view model that ignores a change lists nobody because of it, but may still list somebody.
    let inputs = input(change)
    let leavesVisitors = inputs == nil && change.kind == .joined ? nil : isVisited
    let owner = PresenceInput(leavesVisitors: leavesVisitors) { [self] progress in
      switch progress {
      case .processed: end(.told(change), generation, session)
      case .rejected: end(.rejected, generation, session)
      case .closed, .refused: end(.nothing, generation, session)
      case .settled, .abandoned: break
      }
    }
    let batch = InputBatch(inputs ?? InputList([Int]()), owner: owner)
    switch session.instance?.engine.submit(batch) {
    case .accepted: break
    case .full:
      wait(for: Self.pause, session) {}
      end(.nothing, generation, session)
    // The next instance is told anew.
    case .closed, nil: end(.nothing, generation, session)
    }
  }

  private enum Outcome {
    case told(PresenceChange)
    case rejected, nothing
  }

  private func end(_ outcome: Outcome, _ generation: Int, _ session: Session) {
    let goesOn = contents.withLock { contents in
      if contents.telling == generation { contents.telling = nil }
      switch outcome {
      case .told(let change): contents.visitors.told(change, generation)
      // Told again with the next change only, or a view model that rejects every change would run for ever.
      case .rejected: contents.visitors.rejected(generation)
      case .nothing: break
      }
      guard case .told = outcome else { return false }
      return true
    }
    if goesOn { tell(session) }
    session.endUse()
  }
}

/// The owner of an Input that the service makes, and that is in no trace.
private final class PresenceInput: BatchOwner {
  let leavesVisitors: Bool?
  private let body: @Sendable (InputBatch.Progress) -> Void

  init(leavesVisitors: Bool?, _ body: @escaping @Sendable (InputBatch.Progress) -> Void) {
    (self.leavesVisitors, self.body) = (leavesVisitors, body)
  }

  func didProgress(to progress: InputBatch.Progress) {
    body(progress)
  }
}

/// Visitors of a session.
extension Session {
  /// Whether the view model is told of its visitors.
  package var isToldOfVisitors: Bool { presence != nil }

  /// Notes that a visitor follows the session, until ``leave(_:)``; visits are counted.
  package func enter(_ visitor: Visitor) { presence?.enter(visitor, self) }

  package func leave(_ visitor: Visitor) { presence?.leave(visitor, self) }
}
