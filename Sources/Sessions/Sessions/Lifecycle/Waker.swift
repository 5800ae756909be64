import UIFusionKit

/// Wakes sessions that sleep, or that have lost their instance: makes them this process's, and reads them.
package final class Waker: Sendable {
  private let directory: LockedDirectory
  private let ownership: any SessionOwnership
  private let health: StoreHealth
  private let restorer: Restorer
  private let context: SessionContext

  init(
    _ directory: LockedDirectory,
    _ ownership: any SessionOwnership,
    _ health: StoreHealth,
    _ restorer: Restorer,
    _ context: SessionContext
  ) {
    (self.directory, self.ownership) = (directory, ownership)
    (self.health, self.restorer, self.context) = (health, restorer, context)
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
        let session = directory.withLock { directory in
          let session = directory.resident(id)
          session?.beginUse()
          return session
        }
        wake(ids.dropFirst(), holding: held + (session.map { [$0] } ?? []), done)
      }
    }
  }

  /// Wakes a session; if no client has asked for it, its idle time goes on.
  func wake(_ id: SessionID, isClientWaiting: Bool = true, _ done: @escaping WakeCompletion) {
    let mayAnswer = ownership.isHeld
    switch directory.change({
      $0.wake(id, isClientWaiting: isClientWaiting, mayAnswer: mayAnswer, now: $1, done)
    }) {
    case .awake: done(nil)
    case .waiting: break
    case .read(let session): load(id, into: session)
    case .failed(let failure): done(failure)
    }
  }

  // MARK: Reading

  /// Makes a session this process's, reads it, and lets it go on; one that is not to be read is left asleep.
  func load(_ id: SessionID, into session: Session?, isRead: Bool = true) {
    // The store could deny later what it has in doubt now.
    guard !health.isInDoubt else {
      return directory.finish(
        id,
        .store(.unreachable("it is not known yet what the store has taken"))
      )
    }
    let node = ownership.node
    context.store?.acquire(id) { [self] result in
      // The store's thread must not be blocked by reading JSON.
      Task.detached(executorPreference: context.dependencies.executor) { [self] in
        switch result {
        case .failure(let error): loadFailed(id, error)
        case .success(.unknown):
          if directory.withLock({ $0.noteMissing(id) }) {
            directory.close([id], .expired, isReported: false, context)
          }
          directory.finish(id, nil)
        case .success(.ended(let end)):
          directory.close([id], end, isReported: false, context)
          directory.finish(id, nil)
        case .success(.elsewhere(let node, let origin)):
          // The session's followers are not told that it ended: it has not.
          directory.withLock { $0.moved(id, to: node, origin) }?.move()
          directory.finish(id, .elsewhere(node, origin))
        case .success(.acquired) where ownership.node != node:
          noteDoubtfulOwnership(of: id)
          directory.finish(id, .leaseOver)
        case .success(.acquired(let stored)):
          if node != nil { context.report(.acquired(id)) }
          if isRead { return restorer.restore(stored, into: session, as: node) }
          let hasAlarm = stored.alarms.contains { !$0.isRecord }
          directory.change { $0.acquired(id, stored.origin, hasAlarm: hasAlarm, now: $1) }
          directory.finish(id, nil)
        }
      }
    }
  }

  private func loadFailed(_ id: SessionID, _ error: StoreError) {
    switch error {
    case .damaged:
      // Damage says nothing of other sessions, and asking again would not help.
      context.report(.damaged(id, error))
      return restorer.leaveDamaged(id, error)
    case .fenced, .taken: break
    case .full, .unreachable, .conflict, .inDoubt, .closed:
      noteDoubtfulOwnership(of: id)
      health.failed(error)
    }
    directory.finish(id, .store(error))
  }

  private func noteDoubtfulOwnership(of id: SessionID) {
    directory.change { $0.noteDoubtfulOwnership(of: id, now: $1) }
  }

  // MARK: Without a client

  enum Outcome { case woken, failed, damaged, unreadable(SessionID), leftAlone }

  /// Wakes sessions for which no client has asked, at the same time.
  func wakeForNobody(_ ids: [SessionID]) async throws -> [Outcome] {
    try await withThrowingTaskGroup { group in
      for id in ids { group.addTask { [self] in try await wakeForNobody(id) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  /// Wakes a session for which no client has asked.
  ///
  /// Where no other process shares the store, tries again each second while the store fails, and once while memory is
  /// full.
  func wakeForNobody(_ id: SessionID) async throws -> Outcome {
    // Only the store knew the owner.
    directory.forgetLocation(of: id)
    let isRepeated = ownership.takeOverPause != nil
    var isFirst = true
    // A client's request may be faster.
    while directory.withLock({ $0.canWakeForNobody(id) }) {
      let failure = await withCheckedContinuation { continuation in
        wake(id, isClientWaiting: false) { continuation.resume(returning: $0) }
      }
      switch failure {
      case nil where directory.resident(id)?.isAwake == true: return .woken
      case .unreadable, .unreadableHere: return .unreadable(id)
      case .setAside, .notPermitted: return .leftAlone
      case .store(.damaged): return .damaged
      case .elsewhere: return .leftAlone
      case nil where isRepeated: return .leftAlone
      case .store: if isRepeated { return .failed }
      // Where memory stays full, the session stays asleep until a client asks; it must not block others.
      case .memoryFull: if isRepeated || !isFirst { return .failed }
      // The session has ended, or its end failed just now.
      case nil: break
      }
      isFirst = false
      try await context.dependencies.time.sleep(for: .seconds(1))
    }
    return .leftAlone
  }
}
