import Synchronization
import UIFusionKit

/// Sessions that sleep, and what wakes them.
extension SessionHost {
  /// Why a session could not be woken.
  package enum WakeFailure: Error {
    case store(StoreError)
    /// What is stored of it cannot be read by the view model of today.
    case unreadable(viewModel: String)
  }

  /// Those of the ids that have to be woken before anybody can do anything with them.
  package func sleeping(among ids: [SessionID]) -> [SessionID] {
    guard store != nil else { return [] }
    return table.withLock { table in ids.filter { table.isAsleep($0) } }
  }

  /// Reads sessions from the store; those that are not there any more are then not found.
  ///
  /// `done` is called in the pool, with the first failure if there was one; at once, where all are awake.
  package func wake(
    _ ids: [SessionID],
    _ done: @escaping @Sendable (WakeFailure?) -> Void
  ) {
    guard let id = ids.first else { return done(nil) }
    let rest = Array(ids.dropFirst())
    wake(id) { [self] failure in
      if let failure { done(failure) } else { wake(rest, done) }
    }
  }

  private func wake(_ id: SessionID, _ done: @escaping @Sendable (WakeFailure?) -> Void) {
    enum Step { case awake, waiting, load(Session?) }
    let step: Step = table.withLock { table in
      guard table.isAsleep(id) else { return .awake }
      let isBusy = table.busy[id] != nil
      table.busy[id, default: []].append(done)
      return isBusy ? .waiting : .load(table.sessions[id])
    }
    switch step {
    case .awake: done(nil)
    case .waiting: break
    case .load(let session): load(id, into: session)
    }
  }

  private func load(_ id: SessionID, into session: Session?) {
    store?.load(id) { [self] result in
      // A store's thread has other things to do than to read JSON.
      Task.detached(executorPreference: dependencies.executor) { [self] in
        switch result {
        case .failure(let error):
          if case .damaged = error {
            // It says nothing of the others, and asking again would not mend it.
            report(.damaged(id, error))
          } else {
            storeFailed(error)
          }
          finish(id, .store(error))
        case .success(nil):
          // It ended, and nobody was told: the store had not said so.
          let gone = table.withLock { table in
            table.ended[id] = SessionTable.Tombstone(end: .expired, time: dependencies.time.now)
            table.asleep[id] = nil
            return table.sessions.removeValue(forKey: id)
          }
          gone?.close(.expired)
          finish(id, nil)
        case .success(let stored?):
          finish(id, restore(stored, into: session))
        }
      }
    }
  }

  private func restore(_ stored: StoredSession, into session: Session?) -> WakeFailure? {
    let id = stored.id
    do {
      guard let viewModel = viewModel(named: stored.viewModel) else { throw NotHosted() }
      let position = try viewModel.position(of: stored)
      let keys = IdempotencyKeys(stored.answers, clock)
      let session =
        session
        ?? Session(
          id: id,
          viewModel: viewModel,
          parameters: stored.parameters,
          created: stored.created,
          used: clock.time(at: stored.used),
          surroundings
        )
      // Whoever waits behind a request that came to nothing is to find out what its key means now.
      let waiters = session.keys.withLock { old in
        defer { old = keys }
        return old.waiters
      }
      defer { for waiter in waiters { waiter(nil) } }
      try session.begin(
        .stored(
          parameters: stored.parameters,
          state: position.state,
          format: position.format,
          version: position.version
        ),
        from: position,
        interrupted: stored.running
      )
      table.withLock { table in
        table.asleep[id] = nil
        table.sessions[id] = session
      }
      session.resume()
      report(.restored(id, viewModel: stored.viewModel))
      return nil
    } catch {
      // Whoever asks keeps it, as any other: one that can read it may come.
      table.withLock { table in
        if table.asleep[id] != nil { table.asleep[id] = dependencies.time.now }
      }
      report(.unreadable(id, viewModel: stored.viewModel, error))
      return .unreadable(viewModel: stored.viewModel)
    }
  }

  private struct NotHosted: Error, CustomStringConvertible {
    var description: String { "no view model of that name is hosted" }
  }

  /// The store is done with an id: whoever waits goes on, in the pool, as that may take its time.
  func finish(_ id: SessionID, _ failure: WakeFailure?) {
    let waiting = table.withLock { $0.busy.removeValue(forKey: id) ?? [] }
    guard !waiting.isEmpty else { return }
    Task.detached(executorPreference: dependencies.executor) {
      for done in waiting { done(failure) }
    }
  }

  // MARK: Failure and recovery

  /// A session has lost what ran it.
  func lost(_ id: SessionID, _ error: StoreError) {
    report(.lost(id, error))
    storeFailed(error)
  }

  /// The store has failed: it is asked until it works again.
  func storeFailed(_ error: StoreError) {
    let isNews = watch.failed(error) { [self] in wakeLost() }
    if isNews { report(.storeFailed(error)) }
  }

  /// Brings back the sessions that somebody may be looking at.
  func wakeLost() {
    report(.storeRecovered)
    let ids = table.withLock { $0.sessions.values.filter { !$0.isAwake }.map(\.id) }
    for id in ids { wake(id) { _ in } }
  }
}

extension StoredSession {
  /// The names of what was running when State was stored last.
  fileprivate var running: [String] { entries.last?.running ?? head.running }
}

extension HostedViewModel {
  /// Where a stored session goes on.
  func position(of stored: StoredSession) throws -> Journal.Position {
    var position = Journal.Position(
      sequence: stored.sequence,
      version: stored.head.version,
      format: stored.head.format,
      state: stored.head.state
    )
    for entry in stored.entries {
      position.version = entry.version
      switch entry.outcome {
      case .unchanged: break
      case .state(let state): position.state = state
      case .patch(let patch): position.state = try patches.apply(patch, position.state)
      }
    }
    return position
  }
}
