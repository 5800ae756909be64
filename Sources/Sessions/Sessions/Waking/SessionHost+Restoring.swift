import Synchronization
import UIFusionKit

/// Sessions that go on from what the store has of them.
extension SessionHost {
  /// Resumes a session from what is stored; streams of the session that was lost here follow it.
  ///
  /// The `node` is the one as which this process has acquired the session.
  func restore(_ stored: StoredSession, into lost: Session?, as node: Node?) {
    let id = stored.id
    do {
      let session = try begin(stored, into: lost)
      change { $0.woke(session, now: $1) }
      if table.withLock({ $0.isClosed }) { session.stop() }
      // The lease under which the session was acquired may have expired while reading.
      if ownership.node != node { session.instance?.log.abandon(.fenced) }
      if context.traces?.isWatched(id) == true { session.watch() }
      session.resume()
      report(.restored(id, viewModel: stored.viewModel))
      // A State that was migrated is to be stored before it can be seen. And a session that was interrupted is not to
      // expire before it is known whether it goes on.
      guard session.current == nil || stored.isAtWork else { return finish(id, nil) }
      session.afterTurn { [self] in
        let isLost = session.current == nil
        finish(id, isLost ? .store(.unreachable("the migrated State was not stored")) : nil)
      }
    } catch {
      restoreFailed(stored, error)
    }
  }

  private func begin(_ stored: StoredSession, into lost: Session?) throws -> Session {
    guard let viewModel = viewModel(named: stored.viewModel) else { throw NotHosted() }
    if isSetAside(stored) { throw SetAside() }
    // Before patches are applied to the State, and after.
    try memory.requireRoom(for: stored.head.state.count)
    let position = try viewModel.position(of: stored)
    try memory.requireRoom(for: position.state.count)
    // If the clock was set back, the stored time lies in the future: the table's comes first.
    let lastUse = table.withLock { $0.lastUse(of: stored.id) } ?? clock.time(at: stored.used)
    let session =
      resumable(lost, at: position.version)
      ?? Session(
        id: stored.id,
        viewModel: viewModel,
        parameters: stored.parameters,
        identity: stored.identity,
        name: stored.name,
        created: stored.created,
        used: lastUse,
        context
      )
    session.keys.withLock { $0 = IdempotencyKeys(stored.keys, clock) }
    try session.begin(viewModel.start(of: stored, at: position), from: position)
    return session
  }

  /// Returns nil for a session that showed versions which its database has since lost.
  ///
  /// The same versions mean other States from here on, and the session's followers begin anew.
  private func resumable(_ session: Session?, at version: Int) -> Session? {
    guard let session, let shown = session.current, shown.version > version else { return session }
    session.move()
    return nil
  }

  private struct SetAside: Error {}

  private struct NotHosted: Error, CustomStringConvertible {
    var description: String { "no view model of that name is hosted" }
  }

  // MARK: Sessions that cannot be opened

  /// Gives a session back that cannot be read here; perhaps another node can read it.
  private func restoreFailed(_ stored: StoredSession, _ error: any Error) {
    let id = stored.id
    let isClientWaiting = change { table, now in
      table.noteUnreadable(id, now: now)
      return table.isClientWaiting(for: id)
    }
    let failure: WakeFailure
    if let error = error as? MemoryFull {
      failure = .memoryFull(error)
    } else if error is SetAside {
      noteSetAside(id, viewModel: stored.viewModel)
      failure = .setAside(viewModel: stored.viewModel)
      table.withLock { $0.leaveUnreadable(id) }?.move()
    } else {
      report(.unreadable(id, viewModel: stored.viewModel, error))
      failure = ownership.unreadable(viewModel: stored.viewModel)
      table.withLock { $0.leaveUnreadable(id) }?.move()
    }
    let idle =
      isClientWaiting ? .zero : max(.zero, dependencies.time.now - clock.time(at: stored.used))
    giveBack(id, idleFor: idle) { [self] in finish(id, failure) }
  }

  /// Gives a damaged session back that a client asks for: another node may not find it damaged.
  func leaveDamaged(_ id: SessionID, _ error: StoreError) {
    let isClientWaiting = change { table, now in
      table.noteUnreadable(id, now: now)
      let isClientWaiting = table.isClientWaiting(for: id)
      if !isClientWaiting { table.keepDamaged(id, now: now) }
      return isClientWaiting
    }
    guard isClientWaiting else { return finish(id, .store(error)) }
    table.withLock { $0.leaveUnreadable(id) }?.move()
    giveBack(id, idleFor: .zero) { [self] in finish(id, .store(error)) }
  }
}
