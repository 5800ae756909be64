import UIFusionKit

/// Creates sessions, and finds those that were created under a name.
package final class Creator: Sendable {
  /// The failure to create a session because the limit is reached.
  package struct SessionLimitReached: Error {}

  private let directory: LockedDirectory
  private let ownership: any SessionOwnership
  private let health: StoreHealth
  private let context: SessionContext
  /// Makes the ids of new sessions.
  let makeID: @Sendable () -> SessionID

  init(
    _ directory: LockedDirectory,
    _ ownership: any SessionOwnership,
    _ health: StoreHealth,
    _ context: SessionContext,
    makeID: @escaping @Sendable () -> SessionID
  ) {
    (self.directory, self.ownership) = (directory, ownership)
    (self.health, self.context, self.makeID) = (health, context, makeID)
  }

  /// Finds the session with a name; nil if there is none.
  ///
  /// `done` is called in the pool, or at once.
  package func find(_ name: SessionName, _ done: @escaping StoreAnswer<SessionID?>) {
    guard let store = context.store else {
      return done(.success(directory.withLock { $0.names[name] }))
    }
    store.find(name) { [health, context] result in
      if case .failure(let error) = result { health.failed(error) }
      // The store's thread must not be blocked by what the caller does with the session.
      Task.detached(executorPreference: context.dependencies.executor) { done(result) }
    }
  }

  /// Creates a session; `done` is called once the session is stored, and has the State after `started()` as far as that
  /// does not wait; at once if there is neither.
  ///
  /// The failure is a ``StoreError``, ``SessionLimitReached``, ``MemoryFull``, or what is wrong with the parameters.
  /// Where another session has the name, it is ``StoreError/taken(by:)``.
  ///
  /// - Parameters:
  ///   - viewModel: the session's view model.
  ///   - parameters: the client's parameters.
  ///   - identity: the id of the identity that the session belongs to; nil if it belongs to nobody.
  ///   - creator: who creates it, where it belongs to nobody: see ``SessionOrigin/creator``.
  ///   - name: its name, for the same identity.
  ///   - object: an object that is kept until the session ends, or this process does. Where other nodes may end the
  ///     session, the object is kept until the session has been away from this node for the idle time.
  ///   - done: given the session.
  package func create(
    _ viewModel: HostedViewModel,
    parameters: (any Parameters)? = nil,
    for identity: String? = nil,
    by creator: String? = nil,
    name: SessionName? = nil,
    attaching object: (any AnyObject & Sendable)? = nil,
    _ done: @escaping @Sendable (Result<Session, any Error>) -> Void
  ) {
    let id: SessionID
    do {
      try context.memory.requireRoom()
      id = makeID()
      try reserve(id, isNamed: name != nil)
    } catch {
      return done(.failure(error))
    }
    let session = Session(
      id: id,
      viewModel: viewModel,
      parameters: parameters?.text ?? [],
      identity: identity,
      creator: identity == nil ? creator : nil,
      name: name?.text,
      created: context.clock.now,
      used: context.dependencies.time.now,
      context
    )
    do {
      try session.begin(.new(parameters))
    } catch {
      openFailed(session)
      return done(.failure(error))
    }
    guard let store = context.store else {
      if let name, let other = directory.withLock({ $0.claim(name, for: session.id) }) {
        openFailed(session)
        return done(.failure(StoreError.taken(by: other)))
      }
      opened(session, attaching: object)
      return begin(session, done)
    }
    guard let record = session.initialRecord else {
      openFailed(session)
      return done(.failure(StoreError.closed))
    }
    let node = ownership.node
    store.commit(.create(record)) { [self] error in
      if let error {
        openFailed(session, isInDoubt: error == .inDoubt)
        health.failed(error)
        return done(.failure(error))
      }
      opened(session, attaching: object)
      // The session is stored, but under a lease that has expired since.
      if ownership.node != node { session.instance?.log.abandon(.fenced) }
      begin(session, done)
    }
  }

  /// Starts a session; calls `done` once its view model has done what it does first, up to where that waits.
  private func begin(
    _ session: Session,
    _ done: @escaping @Sendable (Result<Session, any Error>) -> Void
  ) {
    let beginsWithActions = session.instance?.engine.beginsWithActions == true
    session.start()
    guard beginsWithActions else { return done(.success(session)) }
    session.afterTurn { done(.success(session)) }
  }

  /// Creates a session that goes on from `record`; `done` is called once the session is stored, and sleeps.
  ///
  /// The failure is as of ``create(_:parameters:for:by:name:attaching:_:)``; the caller has seen to it that there is
  /// memory. `event` reports the creation.
  func create(
    from record: StoredSession,
    reporting event: SessionEvent,
    attaching object: (any AnyObject & Sendable)?,
    _ done: @escaping @Sendable ((any Error)?) -> Void
  ) {
    guard let store = context.store else { return done(StoreError.closed) }
    do { try reserve(record.id) } catch { return done(error) }
    store.commit(.create(record)) { [self] error in
      if let error {
        directory.change {
          $0.openFailed(record.id, isInDoubt: error == .inDoubt, now: $1)
        }
        health.failed(error)
        return done(error)
      }
      directory.change { $0.forked(record, attaching: object, now: $1) }
      context.report(event)
      done(nil)
    }
  }

  /// Reserves the id of a new session.
  private func reserve(_ id: SessionID, isNamed: Bool = false) throws {
    let limit = context.limits.sessions
    switch directory.withLock({ $0.reserve(id, limit: limit, isNamed: isNamed) }) {
    case .reserved: break
    case .full: throw SessionLimitReached()
    case .taken: throw StoreError.conflict
    }
  }

  private func opened(_ session: Session, attaching object: (any AnyObject & Sendable)?) {
    directory.withLock { $0.opened(session, attaching: object) }
    if session.name != nil { directory.finish(session.id, nil) }
    context.report(
      .created(
        session.id,
        viewModel: session.viewModel.name,
        by: session.identity ?? session.creator
      )
    )
  }

  private func openFailed(_ session: Session, isInDoubt: Bool = false) {
    let isNamed = session.name != nil
    directory.change {
      $0.openFailed(session.id, isInDoubt: isInDoubt, isNamed: isNamed, now: $1)
    }
    if isNamed { directory.finish(session.id, nil) }
    session.stop()
  }
}
