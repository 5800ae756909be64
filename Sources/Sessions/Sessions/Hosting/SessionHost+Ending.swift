import Synchronization

/// Sessions that are ended because somebody wants them to be, and the end of the host itself.
extension SessionHost {
  /// Ends a session: what it was doing is cancelled, and its streams are told.
  ///
  /// `done` is given what it was: `live` or `asleep` where it was ended now.
  package func delete(
    _ id: SessionID,
    _ done: @escaping @Sendable (Result<Lookup, WakeFailure>) -> Void
  ) {
    let isBusy = table.withLock { table in
      table.busy[id]?.deleting.append { [self] _ in delete(id, done) } != nil
    }
    guard !isBusy else { return }
    guard !isForeign(id) else {
      return own(id) { [self] failure in
        if let failure { return done(.failure(failure)) }
        if case .unknown = find(id) { done(.success(.unknown)) } else { delete(id, done) }
      }
    }
    let lookup = find(id)
    switch lookup {
    case .ended, .unknown: return done(.success(lookup))
    // It need not be read to be ended: perhaps it cannot be.
    case .live, .asleep: break
    }
    end([id], .deleted) { [self] result in
      switch result {
      case .success(let ended) where ended.isEmpty: delete(id, done)
      case .success: done(.success(lookup))
      case .failure(let error): done(.failure(.store(error)))
      }
    }
  }

  /// Closes every engine, for the end of the service: clients are not told, nothing is forgotten.
  package func closeAll() {
    storeUses()
    let sessions = table.withLock { table in
      defer { table.sessions = [:] }
      return table.sessions
    }
    for session in sessions.values { session.stop() }
    store?.close()
  }
}
