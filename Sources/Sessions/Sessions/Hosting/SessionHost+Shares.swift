import Synchronization
import UIFusionKit

/// Shares: ids that grant a part of a session's use.
extension SessionHost {
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
    let share = StoredShare(id, of: session, as: role, created: clock.now, expires: expires)
    guard let store else {
      let isAdded = table.withLock { $0.live(session) != nil && $0.shares.add(share) }
      return done(isAdded ? .success(share) : .failure(.conflict))
    }
    store.commit(.share(share)) { [self] error in
      if let error, error != .conflict { storeFailed(error) }
      done(error.map { .failure($0) } ?? .success(share))
    }
  }

  /// Revokes a share; `done` is called once the store has deleted it.
  package func revoke(_ share: StoredShare, _ done: @escaping StoreCompletion) {
    guard let store else {
      table.withLock { $0.shares.remove(share.id) }
      return done(nil)
    }
    store.commit(.revoke(share.id, of: share.session)) { [self] error in
      if let error { storeFailed(error) }
      done(error)
    }
  }

  /// Finds shares that stand now, on whichever node they were made.
  ///
  /// `done` is called in the pool, or at once.
  package func shares(_ query: ShareQuery, _ done: @escaping StoreAnswer<[StoredShare]>) {
    let standing = { @Sendable [clock] (shares: [StoredShare]) in
      shares.filter { $0.isValid(at: clock.now) }
    }
    guard let store else {
      return done(.success(standing(table.withLock { $0.shares.find(query) })))
    }
    store.shares(query) { [self] result in
      if case .failure(let error) = result { storeFailed(error) }
      // The store's thread must not be blocked by what the caller does with the shares.
      Task.detached(executorPreference: dependencies.executor) { done(result.map(standing)) }
    }
  }

  /// The current time by the calendar, by which shares expire.
  package var now: WallTime { clock.now }
}
