import UIFusionKit

/// The shares of sessions: ids that grant a part of a session's use.
package final class Shares: Sendable {
  private let directory: LockedDirectory
  private let health: StoreHealth
  private let context: SessionContext
  private let makeID: @Sendable () -> SessionID

  init(
    _ directory: LockedDirectory,
    _ health: StoreHealth,
    _ context: SessionContext,
    makeID: @escaping @Sendable () -> SessionID
  ) {
    (self.directory, self.health) = (directory, health)
    (self.context, self.makeID) = (context, makeID)
  }

  /// Shares a session; `done` is called once the share is stored, at once if there is no store.
  ///
  /// The failure is ``StoreError/conflict`` if the session has ended, or has ``StoredShare/limit`` shares.
  package func share(
    _ session: SessionID,
    as role: ShareRole,
    until expires: WallTime?,
    _ done: @escaping StoreAnswer<StoredShare>
  ) {
    let id = ShareID(makeID())
    let share = StoredShare(id, of: session, as: role, created: now, expires: expires)
    guard let store = context.store else {
      let isAdded = directory.withLock { $0.resident(session) != nil && $0.shares.add(share) }
      return done(isAdded ? .success(share) : .failure(.conflict))
    }
    store.commit(.share(share)) { [health] error in
      if let error, error != .conflict { health.failed(error) }
      done(error.map { .failure($0) } ?? .success(share))
    }
  }

  /// Revokes a share; `done` is called once the store has deleted it.
  package func revoke(_ share: StoredShare, _ done: @escaping StoreCompletion) {
    guard let store = context.store else {
      directory.withLock { $0.shares.remove(share.id) }
      return done(nil)
    }
    store.commit(.revoke(share.id, of: share.session)) { [health] error in
      if let error { health.failed(error) }
      done(error)
    }
  }

  /// Finds shares that stand now, on whichever node they were made.
  ///
  /// `done` is called in the pool, or at once.
  package func find(_ query: ShareQuery, _ done: @escaping StoreAnswer<[StoredShare]>) {
    let standing = { @Sendable [clock = context.clock] (shares: [StoredShare]) in
      shares.filter { $0.isValid(at: clock.now) }
    }
    guard let store = context.store else {
      return done(.success(standing(directory.withLock { $0.shares.find(query) })))
    }
    store.shares(query) { [health, context] result in
      if case .failure(let error) = result { health.failed(error) }
      // The store's thread must not be blocked by what the caller does with the shares.
      Task.detached(executorPreference: context.dependencies.executor) {
        done(result.map(standing))
      }
    }
  }

  /// The current time by the calendar, by which shares expire.
  package var now: WallTime { context.clock.now }
}
