import Synchronization
import UIFusionKit

/// Sessions that sleep, and what wakes them.
extension SessionHost {
  /// Why a session could not be woken.
  package enum WakeFailure: Error {
    case store(StoreError)
    /// What is stored of it cannot be read by the view model of today.
    case unreadable(viewModel: String)
    /// The same on one of several nodes: another one may be of a version that reads it.
    case unreadableHere(viewModel: String)
    /// Its State is not small, and memory is full.
    case memoryFull(MemoryFull)
    /// Another node has it: that is to be asked.
    case elsewhere(Node)
  }

  /// Whether a session has to be woken before anybody can do anything with it.
  ///
  /// One that is awake stays so: its idle time begins anew.
  package func isAsleep(_ id: SessionID) -> Bool {
    guard store != nil else { return false }
    let isLeaseHeld = isLeaseHeld
    return table.withLock { table in
      if table.isAsleep(id) { return true }
      if lease != nil, table.isForeign(id) || !isLeaseHeld && table.ended[id] == nil {
        return true
      }
      // Under the lock, or it could be put to sleep between being asked about and being used.
      table.sessions[id]?.use.touch(dependencies.time.now)
      return false
    }
  }

  /// Reads sessions from the store; those that are not there any more are then not found.
  ///
  /// `done` is called in the pool, with the first failure if there was one; at once, where all are awake.
  package func wake(
    _ ids: [SessionID],
    _ done: @escaping @Sendable (WakeFailure?) -> Void
  ) {
    wake(ids[...], holding: [], done)
  }

  /// Those that are awake by now are held until the others are, and `done` has found them.
  private func wake(
    _ ids: ArraySlice<SessionID>,
    holding held: [Session],
    _ done: @escaping @Sendable (WakeFailure?) -> Void
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
          let session = table.sessions[id]
          session?.beginUse()
          return session
        }
        wake(ids.dropFirst(), holding: held + (session.map { [$0] } ?? []), done)
      }
    }
  }

  /// Reads one; where nobody has asked for it, it stays as idle as it is.
  func wake(
    _ id: SessionID,
    isAsked: Bool = true,
    _ done: @escaping @Sendable (WakeFailure?) -> Void
  ) {
    enum Step { case awake, waiting, load(Session?), failed(WakeFailure) }
    let isLeaseHeld = isLeaseHeld
    let step: Step = table.withLock { table in
      guard isLeaseHeld else { return .failed(.leaseOver) }
      if lease != nil, table.busy[id] == nil, table.isForeign(id) {
        if let node = table.locations[id] { return .failed(.elsewhere(node)) }
      } else {
        guard table.isAsleep(id) else { return .awake }
      }
      let isBusy = table.busy[id] != nil
      table.busy[id, default: SessionTable.Busy()].waking.append(done)
      if isAsked {
        table.busy[id]?.isAsked = true
        // It may have been read already, for nobody.
        table.sessions[id]?.use.touch(dependencies.time.now)
      }
      return isBusy ? .waiting : .load(table.sessions[id])
    }
    switch step {
    case .awake: done(nil)
    case .waiting: break
    case .load(let session): load(id, into: session)
    case .failed(let failure): done(failure)
    }
  }

  /// Reads it, and lets it go on; where it is not to be read, it is only made this node's.
  func load(_ id: SessionID, into session: Session?, isRead: Bool = true) {
    // What is read now could be denied by what the store has not told yet.
    guard !watch.isInDoubt else {
      return finish(id, .store(.unreachable("what it did is in doubt")))
    }
    let node = lease?.node
    store?.acquire(id) { [self] result in
      // A store's thread has other things to do than to read JSON.
      Task.detached(executorPreference: dependencies.executor) { [self] in
        switch result {
        case .failure(let error):
          if case .damaged = error {
            // It says nothing of the others, and asking again would not mend it.
            report(.damaged(id, error))
            if lease != nil { return giveBackDamaged(id, error) }
          } else if error != .fenced {
            letGoUnseen(id)
            storeFailed(error)
          }
          finish(id, .store(error))
        case .success(.unknown) where lease != nil && session == nil:
          table.withLock { table in
            table.asleep[id] = nil
            table.noteMissing(id)
          }
          finish(id, nil)
        case .success(.unknown):
          // It ended, and nobody was told: the store had not said so.
          remove([id], .expired, isTold: false)
          finish(id, nil)
        case .success(.ended(let end)):
          remove([id], end, isTold: false)
          finish(id, nil)
        case .success(.elsewhere(let node)):
          leave(id, to: node)
          finish(id, .elsewhere(node))
        case .success(.mine) where lease?.node != node:
          letGoUnseen(id)
          finish(id, .leaseOver)
        case .success(.mine(let stored)):
          if lease != nil { report(.acquired(id)) }
          if isRead { return restore(stored, into: session, as: node) }
          table.withLock { $0.asleep[id] = dependencies.time.now }
          finish(id, nil)
        }
      }
    }
  }

  private func restore(_ stored: StoredSession, into session: Session?, as node: Node?) {
    let id = stored.id
    do {
      guard let viewModel = viewModel(named: stored.viewModel) else { throw NotHosted() }
      // Before patches are applied to it, and after.
      try memory.requireRoom(for: stored.head.state.count)
      let position = try viewModel.position(of: stored)
      try memory.requireRoom(for: position.state.count)
      // By the calendar of today it may have been used in the future: the table knows better.
      let used = table.withLock { $0.asleep[id] } ?? clock.time(at: stored.used)
      let session =
        resumable(session, at: position.version)
        ?? Session(
          id: id,
          viewModel: viewModel,
          parameters: stored.parameters,
          created: stored.created,
          used: used,
          context
        )
      session.keys.withLock { $0 = IdempotencyKeys(stored.keys, clock) }
      try session.begin(
        .stored(
          parameters: stored.parameters,
          state: position.state,
          format: position.format,
          version: position.version
        ),
        from: position
      )
      table.withLock { table in
        table.asleep[id] = nil
        table.sessions[id] = session
        // Whoever has asked for it is here, though others may be woken before he finds it.
        if table.busy[id]?.isAsked == true { session.use.touch(dependencies.time.now) }
      }
      // Reading it took its time: the lease under which it was acquired may have run out.
      if lease?.node != node { session.instance?.log.abandon(.fenced) }
      session.resume()
      report(.restored(id, viewModel: stored.viewModel))
      // A State that was migrated is to be stored before it can be seen.
      guard session.current == nil else { return finish(id, nil) }
      session.afterTurn { [self] in
        finish(id, session.current == nil ? .store(.unreachable("it failed meanwhile")) : nil)
      }
    } catch {
      // Whoever asks keeps it, as any other: a time may come when it can be read.
      table.withLock { table in
        guard table.asleep[id] != nil, table.busy[id]?.isAsked == true else { return }
        table.asleep[id] = dependencies.time.now
      }
      if let error = error as? MemoryFull { return finish(stored, .memoryFull(error)) }
      report(.unreadable(id, viewModel: stored.viewModel, error))
      finish(stored, .unreadable(viewModel: stored.viewModel))
    }
  }

  /// Nil for a session that has shown what its database has lost since: its versions stand for other States from here
  /// on, and who follows it begins anew.
  private func resumable(_ session: Session?, at version: Int) -> Session? {
    guard let session, let shown = session.current, shown.version > version else { return session }
    session.move()
    return nil
  }

  /// It cannot be read here; perhaps another node can, to which it is left.
  private func finish(_ stored: StoredSession, _ failure: WakeFailure) {
    let id = stored.id
    guard lease != nil else { return finish(id, failure) }
    var failure = failure
    if case .unreadable(let name) = failure {
      failure = .unreadableHere(viewModel: name)
      forget([id])
    }
    let isAsked = table.withLock { $0.busy[id]?.isAsked == true }
    // Whoever asks keeps it, as any other: a time may come when it can be read.
    let idle = isAsked ? .zero : max(.zero, dependencies.time.now - clock.time(at: stored.used))
    giveBack(id, idleFor: idle) { [self, failure] in finish(id, failure) }
  }

  /// Another node may not find it damaged.
  ///
  /// Where nobody asks, it stays and expires here: each node would try it in turn.
  private func giveBackDamaged(_ id: SessionID, _ error: StoreError) {
    let isAsked = table.withLock { table in
      let isAsked = table.busy[id]?.isAsked == true
      if !isAsked, table.asleep[id] == nil { table.asleep[id] = dependencies.time.now }
      return isAsked
    }
    guard isAsked else { return finish(id, .store(error)) }
    forget([id])
    giveBack(id, idleFor: .zero) { [self] in finish(id, .store(error)) }
  }

  private struct NotHosted: Error, CustomStringConvertible {
    var description: String { "no view model of that name is hosted" }
  }

  /// The store is done with an id: whoever waits goes on, in the pool, as that may take its time.
  ///
  /// The id counts as busy until nobody waits any more, so that who comes last does not overtake those
  /// who wait.
  func finish(_ id: SessionID, _ failure: WakeFailure?) {
    let isWaitedFor = table.withLock { table in
      guard let busy = table.busy[id] else { return false }
      guard busy.waking.isEmpty, busy.deleting.isEmpty else { return true }
      table.busy[id] = nil
      return false
    }
    guard isWaitedFor else { return }
    Task.detached(executorPreference: dependencies.executor) { [self] in
      while let waiting = nextWaiting(for: id) {
        for done in waiting { done(failure) }
      }
    }
  }

  /// Those who wait; nil puts an end to it.
  private func nextWaiting(for id: SessionID) -> [@Sendable (WakeFailure?) -> Void]? {
    typealias Waiters = [SessionTable.Waiter]
    let (waiting, deletions) = table.withLock { table -> (Waiters, Waiters) in
      let waiting = table.busy[id]?.waking ?? []
      guard waiting.isEmpty else {
        table.busy[id]?.waking = []
        return (waiting, [])
      }
      return ([], table.busy.removeValue(forKey: id)?.deleting ?? [])
    }
    for delete in deletions { delete(nil) }
    return waiting.isEmpty ? nil : waiting
  }
}
