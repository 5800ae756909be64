import UIFusionKit

/// Ends sessions, awake or asleep, once the store says that they are over.
package final class Ender: Sendable {
  private let directory: LockedDirectory
  private let ownership: any SessionOwnership
  private let health: StoreHealth
  private let waker: Waker
  private let notifier: EndNotifier
  private let context: SessionContext

  init(
    _ directory: LockedDirectory,
    _ ownership: any SessionOwnership,
    _ health: StoreHealth,
    _ waker: Waker,
    _ notifier: EndNotifier,
    _ context: SessionContext
  ) {
    (self.directory, self.ownership, self.health) = (directory, ownership, health)
    (self.waker, self.notifier, self.context) = (waker, notifier, context)
  }

  /// The number of sessions to end at once, so that those that are read to be told of their end take little memory.
  var endsAtOnce: Int { notifier.isNeeded ? 8 : 1_000 }

  /// Deletes a session, cancels its work, and tells its streams.
  ///
  /// `done` is given the session's state before: `resident` or `asleep` where this call has ended it, `unknown` where it
  /// belongs to somebody else; or ``WakeFailure/notPermitted(_:)``. Who ends a session of nobody's is logged.
  ///
  /// - Parameters:
  ///   - id: the session.
  ///   - sender: the id of the identity that deletes it.
  ///   - check: decides whether the session may be deleted; called outside of locks.
  ///   - done: given the outcome.
  package func delete(
    _ id: SessionID,
    by sender: String? = nil,
    if check: @escaping PermissionCheck = { _ in .granted },
    _ done: @escaping @Sendable (Result<SessionLookup, WakeFailure>) -> Void
  ) {
    let origin = directory.origin(of: id)
    switch origin.map(check) {
    case .granted?, nil: break
    case .unknown?: return done(.success(.unknown))
    case .denied(let reason)?: return done(.failure(.notPermitted(reason)))
    }
    let mayAnswer = ownership.isHeld
    let again: WakeCompletion = { [self] failure in
      if let failure { return done(.failure(failure)) }
      if case .unknown = directory.find(id) {
        done(.success(.unknown))
      } else {
        delete(id, by: sender, if: check, done)
      }
    }
    let isPermitted = origin != nil
    let step = directory.withLock {
      $0.delete(id, mayAnswer: mayAnswer, isPermitted: isPermitted, again)
    }
    switch step {
    case .ask: delete(id, by: sender, if: check, done)
    case .waiting: break
    case .acquire: waker.load(id, into: nil, isRead: false)
    case .over(let lookup): done(.success(lookup))
    case .failed(let failure): done(.failure(failure))
    case .end:
      let lookup = directory.find(id)
      end([id], .deleted, by: origin?.identity == nil ? sender : nil) { [self] result in
        switch result {
        case .success(let ended) where ended.isEmpty: delete(id, by: sender, if: check, done)
        case .success: done(.success(lookup))
        case .failure(let error): done(.failure(.store(error)))
        }
      }
    }
  }

  /// Ends sessions, awake or asleep, once the store says that they are over.
  ///
  /// Sessions that have been used since a deadline, or that the store is at work on, are skipped.
  /// `done` is told which have ended, or of the store's failure, in which case none has.
  func end(
    _ ids: [SessionID],
    _ end: SessionEnd,
    by sender: String? = nil,
    unlessUsedSince deadline: Duration? = nil,
    _ done: @escaping StoreAnswer<[SessionID]>
  ) {
    let hasStore = context.store != nil
    let ids = directory.withLock {
      $0.beginEnding(ids, unlessUsedSince: deadline, waitingForStore: hasStore)
    }
    guard !ids.isEmpty else { return done(.success([])) }
    guard let store = context.store else {
      directory.close(ids, end, by: sender, context)
      return done(.success(ids))
    }
    notifier.read(ids, from: store) { [self] told in
      commitEnd(of: ids, end, by: sender, unlessUsedSince: deadline, to: store, telling: told, done)
    }
  }

  private func commitEnd(
    of ids: [SessionID],
    _ end: SessionEnd,
    by sender: String?,
    unlessUsedSince deadline: Duration?,
    to store: TimeoutStore,
    telling told: [StoredSession],
    _ done: @escaping StoreAnswer<[SessionID]>
  ) {
    store.commit(.end(ids, end, at: context.clock.now)) { [self] error in
      if error == .fenced, ids.count > 1 {
        // Another node has one of them: end them one by one.
        for id in ids { directory.finish(id, nil) }
        for id in ids { self.end([id], end, unlessUsedSince: deadline) { _ in } }
        return done(.success([]))
      }
      if let error {
        health.failed(error)
        // The sessions may be over: the store is asked before a client sees them again.
        if error == .inDoubt || error == .fenced { discard(ids, error) }
      } else {
        directory.close(ids, end, by: sender, context)
        for session in told { notifier.tell(session) }
      }
      for id in ids { directory.finish(id, nil) }
      done(error.map { .failure($0) } ?? .success(ids))
    }
  }

  private func discard(_ ids: [SessionID], _ error: StoreError) {
    let sessions = directory.withLock { directory in ids.compactMap { directory.resident($0) } }
    for session in sessions { session.instance?.log.abandon(error) }
    guard error == .fenced else { return }
    for session in directory.withLock({ $0.forget(ids) }) { session.move() }
  }
}
