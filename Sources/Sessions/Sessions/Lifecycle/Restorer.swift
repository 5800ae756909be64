import Synchronization
import UIFusionKit

/// Resumes sessions from what the store has of them, and gives back those that cannot be read here.
final class Restorer: Sendable {
  private let directory: LockedDirectory
  private let ownership: any SessionOwnership
  private let viewModels: HostedViewModels
  private let setAside: SetAsideSessions
  private let context: SessionContext

  init(
    _ directory: LockedDirectory,
    _ ownership: any SessionOwnership,
    _ viewModels: HostedViewModels,
    _ setAside: SetAsideSessions,
    _ context: SessionContext
  ) {
    (self.directory, self.ownership, self.viewModels) = (directory, ownership, viewModels)
    (self.setAside, self.context) = (setAside, context)
  }

  /// Resumes a session from what is stored; streams of the session that was lost here follow it.
  ///
  /// The `node` is the one as which this process has acquired the session.
  func restore(_ stored: StoredSession, into lost: Session?, as node: Node?) {
    let id = stored.id
    do {
      let (session, alarms) = try begin(stored, into: lost)
      directory.change { $0.woke(session, now: $1) }
      if directory.withLock({ $0.isClosed }) { session.stop() }
      // The lease under which the session was acquired may have expired while reading.
      if ownership.node != node { session.instance?.log.abandon(.fenced) }
      if context.traces?.isWatched(id) == true { session.watch() }
      session.resume(with: alarms)
      context.report(.restored(id, viewModel: stored.viewModel))
      // A State that was migrated is to be stored before it can be seen. And a session that was interrupted is not to
      // expire before it is known whether it goes on.
      guard session.current == nil || stored.isAtWork else { return directory.finish(id, nil) }
      session.afterTurn { [directory] in
        let isLost = session.current == nil
        let failure = WakeFailure.store(.unreachable("the migrated State was not stored"))
        directory.finish(id, isLost ? failure : nil)
      }
    } catch {
      restoreFailed(stored, error)
    }
  }

  /// Returns the session and its alarms.
  private func begin(
    _ stored: StoredSession,
    into lost: Session?
  ) throws -> (Session, [StoredAlarm]) {
    guard let viewModel = viewModels.named(stored.viewModel) else { throw NotHosted() }
    if setAside.leavesAlone(stored) { throw SetAside() }
    // Before patches are applied to the State, and after.
    try context.memory.requireRoom(for: stored.head.state.count)
    let position = try viewModel.position(of: stored)
    try context.memory.requireRoom(for: position.state.count)
    // If the clock was set back, the stored time lies in the future: the directory's comes first.
    let lastUse =
      directory.withLock { $0.lastUse(of: stored.id) } ?? context.clock.time(at: stored.used)
    let session =
      resumable(lost, at: position.version)
      ?? Session(
        id: stored.id,
        viewModel: viewModel,
        parameters: stored.parameters,
        identity: stored.identity,
        creator: stored.creator,
        name: stored.name,
        created: stored.created,
        used: lastUse,
        context
      )
    session.keys.withLock { $0 = IdempotencyKeys(stored.keys, context.clock) }
    try session.begin(viewModel.start(of: stored, at: position), from: position)
    return (session, position.alarms)
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
    let isClientWaiting = directory.change { directory, now in
      directory.noteUnreadable(id, now: now)
      return directory.isClientWaiting(for: id)
    }
    let failure: WakeFailure
    if let error = error as? MemoryFull {
      failure = .memoryFull(error)
    } else if error is SetAside {
      setAside.add(id, viewModel: stored.viewModel)
      failure = .setAside(viewModel: stored.viewModel)
      directory.withLock { $0.leaveUnreadable(id) }?.move()
    } else {
      context.report(.unreadable(id, viewModel: stored.viewModel, error))
      failure = ownership.unreadable(viewModel: stored.viewModel)
      directory.withLock { $0.leaveUnreadable(id) }?.move()
    }
    let unused = context.dependencies.time.now - context.clock.time(at: stored.used)
    giveBack(id, idleFor: isClientWaiting ? .zero : max(.zero, unused), failure)
  }

  /// Gives a damaged session back that a client asks for: another node may not find it damaged.
  func leaveDamaged(_ id: SessionID, _ error: StoreError) {
    let isClientWaiting = directory.change { directory, now in
      directory.noteUnreadable(id, now: now)
      let isClientWaiting = directory.isClientWaiting(for: id)
      if !isClientWaiting { directory.keepDamaged(id, now: now) }
      return isClientWaiting
    }
    guard isClientWaiting else { return directory.finish(id, .store(error)) }
    directory.withLock { $0.leaveUnreadable(id) }?.move()
    giveBack(id, idleFor: .zero, .store(error))
  }

  /// Gives back a session that was acquired and cannot be opened; then those who wait for it are told the failure.
  private func giveBack(_ id: SessionID, idleFor idle: Duration, _ failure: WakeFailure) {
    context.store?.release([id: idle]) { [directory] error in
      directory.change { $0.gaveBack(id, error, idleFor: idle, now: $1) }
      directory.finish(id, failure)
    }
  }
}
