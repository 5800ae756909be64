import Synchronization
import UIFusionKit

/// Sessions that end: deleted or expired.
extension SessionHost {
  /// Deletes a session, cancels its work, and tells its streams.
  ///
  /// `done` is given the session's state before: `live` or `asleep` where this call has ended it, `unknown` where it
  /// belongs to an identity that the caller may not use.
  package func delete(
    _ id: SessionID,
    mayUse: @escaping @Sendable (_ identity: String?) -> Bool = { _ in true },
    _ done: @escaping @Sendable (Result<SessionLookup, WakeFailure>) -> Void
  ) {
    let mayAnswer = isLeaseHeld
    let again: WakeCompletion = { [self] failure in
      if let failure { return done(.failure(failure)) }
      if case .unknown = find(id) {
        done(.success(.unknown))
      } else {
        delete(id, mayUse: mayUse, done)
      }
    }
    switch table.withLock({ $0.delete(id, mayAnswer: mayAnswer, mayUse: mayUse, again) }) {
    case .waiting: break
    case .acquire: load(id, into: nil, isRead: false)
    case .over(let lookup): done(.success(lookup))
    case .failed(let failure): done(.failure(failure))
    case .end:
      let lookup = find(id)
      end([id], .deleted) { [self] result in
        switch result {
        case .success(let ended) where ended.isEmpty: delete(id, mayUse: mayUse, done)
        case .success: done(.success(lookup))
        case .failure(let error): done(.failure(.store(error)))
        }
      }
    }
  }

  // MARK: Expiring

  /// Expires sessions for as long as the task runs, and keeps the store up to date.
  ///
  /// With `wakingInterrupted` also wakes sessions that were interrupted at work: before any expires if this process has
  /// all sessions, as those at work do not expire; a shared store begins their idle time anew.
  package func keepExpiring(wakingInterrupted: Bool) async throws {
    async let takingOver: Void = wakingInterrupted ? keepTakingOver() : ()
    async let _: Void = repeatedly { performUpkeep() }
    if !ownership.isShared {
      try await takingOver
      try await markAlarms()
    }
    try await repeatedly { endIdle() }
  }

  private func repeatedly(_ work: () -> Void) async throws {
    let pause = min(max(limits.idleTime / 20, .milliseconds(50)), .seconds(30))
    while true {
      work()
      try await dependencies.time.sleep(for: pause)
    }
  }

  /// Ends the sessions that have been idle for too long, forgets ids that ended long ago, and brings the store up to
  /// date.
  package func expire() {
    endIdle()
    performUpkeep()
  }

  private func endIdle() {
    let deadline = dependencies.time.now - limits.idleTime
    expire(table.withLock { $0.idle(since: deadline) }[...], unlessUsedSince: deadline)
  }

  /// Forgets ids that ended long ago, tells the store which sessions were used since the last time, and has the State
  /// of those that have been quiet stored in whole.
  private func performUpkeep() {
    let now = dependencies.time.now
    let forgotten = now - limits.memoryOfEnded
    let sweep = table.withLock {
      $0.sweep(now: now, leftBefore: now - limits.idleTime, endedBefore: forgotten)
    }
    guard let store else { return }
    ownership.expireUnowned(unusedFor: limits.idleTime)
    store.commit(.forget(endedBefore: clock.wallTime(at: forgotten))) { _ in }
    storeUses()
    storeHeads(of: sweep.live[...])
  }

  /// Stores States in whole, some at a time: Inputs want to commit, too.
  private func storeHeads(of sessions: ArraySlice<Session>) {
    var rest = sessions
    while !rest.isEmpty {
      let some = rest.prefix(64)
      rest = rest.dropFirst(64)
      let next: @Sendable () -> Void = { [self, rest] in storeHeads(of: rest) }
      var isWaiting = false
      for session in some {
        guard let log = session.instance?.log else { continue }
        if log.storeHead(isWaiting ? nil : next) { isWaiting = true }
      }
      if isWaiting { return }
    }
  }

  /// Ends sessions, some at a time: others want to commit, too, and sessions that are read take memory.
  private func expire(_ ids: ArraySlice<SessionID>, unlessUsedSince deadline: Duration) {
    guard !ids.isEmpty else { return }
    let count = tellsOfEnd ? 8 : 1_000
    end(Array(ids.prefix(count)), .expired, unlessUsedSince: deadline) { [self] result in
      guard case .success = result else { return }
      expire(ids.dropFirst(count), unlessUsedSince: deadline)
    }
  }

  // MARK: The end

  /// Ends sessions, awake or asleep, once the store says that they are over.
  ///
  /// Sessions that have been used since a deadline, or that the store is at work on, are skipped.
  /// `done` is told which have ended, or of the store's failure, in which case none has.
  private func end(
    _ ids: [SessionID],
    _ end: SessionEnd,
    unlessUsedSince deadline: Duration? = nil,
    _ done: @escaping StoreAnswer<[SessionID]>
  ) {
    let ids = table.withLock {
      $0.beginEnding(ids, unlessUsedSince: deadline, waitingForStore: store != nil)
    }
    guard !ids.isEmpty else { return done(.success([])) }
    guard let store else {
      remove(ids, end)
      return done(.success(ids))
    }
    readToldOfEnd(ids, from: store) { [self] told in
      commitEnd(of: ids, end, unlessUsedSince: deadline, to: store, telling: told, done)
    }
  }

  private func commitEnd(
    of ids: [SessionID],
    _ end: SessionEnd,
    unlessUsedSince deadline: Duration?,
    to store: TimeoutStore,
    telling told: [StoredSession],
    _ done: @escaping StoreAnswer<[SessionID]>
  ) {
    store.commit(.end(ids, end, at: clock.now)) { [self] error in
      if error == .fenced, ids.count > 1 {
        // Another node has one of them: end them one by one.
        for id in ids { finish(id, nil) }
        for id in ids { self.end([id], end, unlessUsedSince: deadline) { _ in } }
        return done(.success([]))
      }
      if let error {
        storeFailed(error)
        // The sessions may be over: the store is asked before a client sees them again.
        if error == .inDoubt || error == .fenced { discard(ids, error) }
      } else {
        remove(ids, end)
        for session in told { tellOfEnd(session) }
      }
      for id in ids { finish(id, nil) }
      done(error.map { .failure($0) } ?? .success(ids))
    }
  }

  private func discard(_ ids: [SessionID], _ error: StoreError) {
    let sessions = table.withLock { table in ids.compactMap { table.live($0) } }
    for session in sessions { session.instance?.log.abandon(error) }
    if error == .fenced { forget(ids) }
  }

  /// Closes sessions that are over; reports that to the log, unless the time of their end is unknown.
  func remove(_ ids: [SessionID], _ end: SessionEnd, isReported: Bool = true) {
    // Releases the kept object outside the lock: its deinit may run user code.
    let (sessions, _) = change { $0.end(ids, end, now: $1) }
    for session in sessions { session.close(end) }
    if let traces = context.traces { for id in ids { traces.add(.over(end), of: id) } }
    if isReported { for id in ids { report(.ended(id, end)) } }
  }

  /// Closes every engine, for the end of the service: clients are not told, nothing is forgotten.
  package func closeAll() {
    connection.withLock { $0 = nil }
    storeUses()
    for session in table.withLock({ $0.takeAllLive() }) {
      // A build that does not know changes of names can still read a head, which has all names.
      if let log = session.instance?.log, log.base?.hasManyNames == true { log.storeHead() }
      session.stop()
    }
    store?.close()
  }
}
