import Synchronization
import UIFusionKit

/// What happens to sessions as time goes by.
extension SessionHost {
  /// Ends the sessions that have been idle for too long, and forgets ids that ended long ago.
  ///
  /// Tells the store who was there since the last time, and has it keep the State of those that have
  /// been quiet in whole.
  package func expire() {
    let now = dependencies.time.now
    let deadline = now - limits.idleTime
    let (sessions, asleep, kept) = table.withLock { table in
      table.ended = table.ended.filter { $0.value.time > now - limits.memoryOfEnded }
      return (table.sessions, table.asleep, table.takeKept(leftBefore: deadline, now: now))
    }
    // Let go of outside the lock, as code of others runs.
    _ = kept
    let idle = sessions.values.filter { $0.use.isIdle(since: deadline) }.map(\.id)
    let expired = idle + asleep.filter { $0.value <= deadline }.map(\.key)
    expire(expired[...], unlessUsedSince: deadline)
    guard let store else { return }
    expireForeign()
    store.commit(.forget(endedBefore: clock.wallTime(at: now - limits.memoryOfEnded))) { _ in }
    storeUses()
    for session in sessions.values { session.instance?.log.storeHead() }
  }

  /// Expires sessions for as long as the task runs, at first those whose time was up before.
  package func keepExpiring() async throws {
    let pause = min(max(limits.idleTime / 20, .milliseconds(50)), .seconds(30))
    while true {
      expire()
      try await dependencies.time.sleep(for: pause)
    }
  }

  /// Ends some at a time: others want to commit, too.
  private func expire(_ ids: ArraySlice<SessionID>, unlessUsedSince deadline: Duration) {
    guard !ids.isEmpty else { return }
    end(Array(ids.prefix(1_000)), .expired, unlessUsedSince: deadline) { [self] result in
      guard case .success = result else { return }
      expire(ids.dropFirst(1_000), unlessUsedSince: deadline)
    }
  }

  /// Tells the store when somebody was there last, by the calendar as it is now.
  func storeUses() {
    guard store != nil else { return }
    let (sessions, asleep, unstored) = table.withLock { table in
      defer { table.unstoredUses = [] }
      return (table.sessions, table.asleep, table.unstoredUses)
    }
    if let step = clock.compare() {
      report(.calendarSet(step))
      storeUses(of: asleep)
    } else if !unstored.isEmpty {
      storeUses(of: asleep.filter { unstored.contains($0.key) })
    }
    let steps = clock.steps
    var uses: [SessionID: WallTime] = [:]
    for session in sessions.values {
      if let use = session.use.takeUnstored(dependencies.time.now, steps: steps) {
        uses[session.id] = clock.wallTime(at: use)
      }
      // Others want to commit, too.
      if uses.count == 1_000 {
        store(uses, of: sessions)
        uses = [:]
      }
    }
    if !uses.isEmpty { store(uses, of: sessions) }
  }

  /// Of sessions that sleep.
  private func storeUses(of asleep: [SessionID: Duration]) {
    let uses = asleep.mapValues { clock.wallTime(at: $0) }
    var rest = uses[...]
    while !rest.isEmpty {
      let some = rest.prefix(1_000)
      rest = rest.dropFirst(1_000)
      let changes = Dictionary(uniqueKeysWithValues: some.map { ($0.key, $0.value) })
      store?.commit(.use(changes)) { [self] error in
        if error != nil { noteUnstored(changes.keys) }
      }
    }
  }

  /// The store does not know when somebody was there last: it is told again, whether they sleep or not.
  private func noteUnstored(_ ids: some Sequence<SessionID>) {
    table.withLock { $0.unstoredUses.formUnion(ids) }
  }

  private func store(_ uses: [SessionID: WallTime], of sessions: [SessionID: Session]) {
    let users = uses.keys.compactMap { sessions[$0] }
    store?.commit(.use(uses)) { [self] error in
      guard error != nil else { return }
      for session in users { session.use.notStored() }
      noteUnstored(uses.keys)
    }
  }

  /// Ends sessions, awake or asleep, once the store says that they are over.
  ///
  /// Those that somebody has used since a deadline, or that the store is at work on, are left alone.
  /// `done` is told which have ended, or of the store's failure, in which case none has.
  func end(
    _ ids: [SessionID],
    _ end: SessionEnd,
    unlessUsedSince deadline: Duration? = nil,
    _ done: @escaping @Sendable (Result<[SessionID], StoreError>) -> Void
  ) {
    let ids = table.withLock { table in
      ids.filter { id in
        guard table.busy[id] == nil, table.sessions[id] != nil || table.asleep[id] != nil,
          deadline.map({ table.isIdle(id, since: $0) }) != false
        else { return false }
        // Whoever asks meanwhile waits: nobody knows yet what became of it.
        if store != nil { table.busy[id] = SessionTable.Busy() }
        return true
      }
    }
    guard !ids.isEmpty else { return done(.success([])) }
    guard let store else {
      remove(ids, end)
      return done(.success(ids))
    }
    store.commit(.end(ids, end, at: clock.now)) { [self] error in
      if error == .fenced, ids.count > 1 {
        // One of them is another node's: they are ended one by one.
        for id in ids { finish(id, nil) }
        for id in ids { self.end([id], end, unlessUsedSince: deadline) { _ in } }
        return done(.success([]))
      }
      if let error {
        storeFailed(error)
        // They may be over: the store is asked before anybody sees them again.
        if error == .inDoubt || error == .fenced { discard(ids, error) }
      } else {
        remove(ids, end)
      }
      for id in ids { finish(id, nil) }
      done(error.map { .failure($0) } ?? .success(ids))
    }
  }

  private func discard(_ ids: [SessionID], _ error: StoreError) {
    let sessions = table.withLock { table in ids.compactMap { table.sessions[$0] } }
    for session in sessions { session.instance?.log.abandon(error) }
    if error == .fenced { forget(ids) }
  }

  /// Takes sessions that are over out of the table; the log is told, unless nobody knows when it was.
  func remove(_ ids: [SessionID], _ end: SessionEnd, isTold: Bool = true) {
    let now = dependencies.time.now
    let (removed, kept) = table.withLock { table in
      let kept = ids.compactMap { table.kept.removeValue(forKey: $0) }
      let removed = ids.compactMap { id in
        table.ended[id] = SessionTable.Tombstone(end: end, time: now)
        table.asleep[id] = nil
        return table.sessions.removeValue(forKey: id)
      }
      return (removed, kept)
    }
    // Let go of outside the lock, as code of others runs.
    _ = kept
    for session in removed { session.close(end) }
    if isTold { for id in ids { report(.ended(id, end)) } }
  }
}

extension SessionTable {
  fileprivate func isIdle(_ id: SessionID, since deadline: Duration) -> Bool {
    sessions[id]?.use.isIdle(since: deadline) ?? asleep[id].map { $0 <= deadline } ?? false
  }
}
