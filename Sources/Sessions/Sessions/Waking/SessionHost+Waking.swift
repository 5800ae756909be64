import Synchronization
import UIFusionKit

/// Finding sessions, and waking those that sleep.
extension SessionHost {
  /// Finds a session, and begins its idle time anew.
  package func find(_ id: SessionID) -> SessionLookup {
    let mayAnswer = isLeaseHeld
    return change { $0.find(id, mayAnswer: mayAnswer, now: $1) }
  }

  /// Finds a session that is awake, and begins its idle time anew; one that has to be woken first is asleep.
  package func findAwake(_ id: SessionID) -> SessionLookup {
    guard store != nil else { return find(id) }
    let mayAnswer = isLeaseHeld
    return change { $0.findAwake(id, mayAnswer: mayAnswer, now: $1) }
  }

  /// Whether a session has to be woken before it can be used.
  ///
  /// A session that is awake stays awake, and its idle time restarts.
  package func isAsleep(_ id: SessionID) -> Bool {
    guard store != nil else { return false }
    let mayAnswer = isLeaseHeld
    return change { $0.isAsleep(id, mayAnswer: mayAnswer, now: $1) }
  }

  /// Whether a sleeping session's identity is known and forbidden by `mayUse`: it is refused without being woken.
  package func isForbidden(_ id: SessionID, by mayUse: (_ identity: String?) -> Bool) -> Bool {
    table.withLock { $0.isForbidden(id, by: mayUse) }
  }

  /// Reads sessions from the store; a session that the store does not have stays unknown.
  ///
  /// `done` is called in the pool, with the first failure if there was one; at once, where all are awake.
  package func wake(_ ids: [SessionID], _ done: @escaping WakeCompletion) {
    wake(ids[...], holding: [], done)
  }

  /// Wakes the remaining sessions; those that are awake by now are held until `done` has found them all.
  private func wake(
    _ ids: ArraySlice<SessionID>,
    holding held: [Session],
    _ done: @escaping WakeCompletion
  ) {
    guard let id = ids.first else {
      done(nil)
      for session in held { session.endUse() }
      return
    }
    wake(id) { [self] failure in
      if let failure {
        done(failure)
        for session in held { session.endUse() }
      } else {
        let session = table.withLock { table in
          let session = table.live(id)
          session?.beginUse()
          return session
        }
        wake(ids.dropFirst(), holding: held + (session.map { [$0] } ?? []), done)
      }
    }
  }

  /// Wakes a session; if no client has asked for it, its idle time goes on.
  func wake(_ id: SessionID, isClientWaiting: Bool = true, _ done: @escaping WakeCompletion) {
    let mayAnswer = isLeaseHeld
    switch change({
      $0.wake(id, isClientWaiting: isClientWaiting, mayAnswer: mayAnswer, now: $1, done)
    }) {
    case .awake: done(nil)
    case .waiting: break
    case .read(let session): load(id, into: session)
    case .failed(let failure): done(failure)
    }
  }

  /// Makes a session this process's, reads it, and lets it go on; one that is not to be read is left asleep.
  func load(_ id: SessionID, into session: Session?, isRead: Bool = true) {
    // The store could deny later what it has in doubt now.
    guard !recovery.isInDoubt else {
      return finish(id, .store(.unreachable("it is not known yet what the store has taken")))
    }
    let node = ownership.node
    store?.acquire(id) { [self] result in
      // The store's thread must not be blocked by reading JSON.
      Task.detached(executorPreference: dependencies.executor) { [self] in
        switch result {
        case .failure(let error): loadFailed(id, error)
        case .success(.unknown):
          if table.withLock({ $0.noteMissing(id) }) { remove([id], .expired, isReported: false) }
          finish(id, nil)
        case .success(.ended(let end)):
          remove([id], end, isReported: false)
          finish(id, nil)
        case .success(.elsewhere(let node, let identity)):
          // The session's followers are not told that it ended: it has not.
          table.withLock { $0.moved(id, to: node, of: identity) }?.move()
          finish(id, .elsewhere(node, identity: identity))
        case .success(.acquired) where ownership.node != node:
          noteDoubtfulOwnership(of: id)
          finish(id, .leaseOver)
        case .success(.acquired(let stored)):
          if node != nil { report(.acquired(id)) }
          if isRead { return restore(stored, into: session, as: node) }
          let hasAlarm = stored.alarms.contains { !$0.isRecord }
          change { $0.acquired(id, of: stored.identity, hasAlarm: hasAlarm, now: $1) }
          finish(id, nil)
        }
      }
    }
  }

  private func loadFailed(_ id: SessionID, _ error: StoreError) {
    switch error {
    case .damaged:
      // Damage says nothing of other sessions, and asking again would not help.
      report(.damaged(id, error))
      return leaveDamaged(id, error)
    case .fenced, .taken: break
    case .full, .unreachable, .conflict, .inDoubt, .closed:
      noteDoubtfulOwnership(of: id)
      storeFailed(error)
    }
    finish(id, .store(error))
  }

  private func noteDoubtfulOwnership(of id: SessionID) {
    change { $0.noteDoubtfulOwnership(of: id, now: $1) }
  }

  // MARK: Calling back

  /// Ends the work on an id: the waiters go on in the pool, as that may take long.
  func finish(_ id: SessionID, _ failure: WakeFailure?) {
    guard table.withLock({ $0.finish(id) }) else { return }
    Task.detached(executorPreference: dependencies.executor) { [self] in
      while let waiters = table.withLock({ $0.takeWaiters(of: id) }) {
        for waiter in waiters { waiter.done(waiter.isDeleting ? nil : failure) }
      }
    }
  }
}
