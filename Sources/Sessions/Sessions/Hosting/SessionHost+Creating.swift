import Synchronization
import UIFusionKit

extension SessionHost {
  /// The failure to create a session because the limit is reached.
  package struct SessionLimitReached: Error {}

  /// Finds the session with a name; nil if there is none.
  ///
  /// `done` is called in the pool, or at once.
  package func find(_ name: SessionName, _ done: @escaping StoreAnswer<SessionID?>) {
    guard let store else { return done(.success(table.withLock { $0.names[name] })) }
    store.find(name) { [self] result in
      if case .failure(let error) = result { storeFailed(error) }
      // The store's thread must not be blocked by what the caller does with the session.
      Task.detached(executorPreference: dependencies.executor) { done(result) }
    }
  }

  /// Creates a session; `done` is called once the session is stored, at once if there is no store.
  ///
  /// The failure is a ``StoreError``, ``Full``, ``MemoryFull``, or what is wrong with the parameters. Where another
  /// session has the name, it is ``StoreError/taken(by:)``.
  ///
  /// - Parameters:
  ///   - viewModel: the session's view model.
  ///   - parameters: the client's parameters.
  ///   - identity: the id of the identity that the session belongs to; nil if anyone with the id may use it.
  ///   - name: its name, for the same identity.
  ///   - object: an object that is kept until the session ends, or this process does. Where other nodes may end the
  ///     session, the object is kept until the session has been away from this node for the idle time.
  ///   - done: given the session.
  package func create(
    _ viewModel: HostedViewModel,
    parameters: (any Parameters)? = nil,
    for identity: String? = nil,
    name: SessionName? = nil,
    attaching object: (any AnyObject & Sendable)? = nil,
    _ done: @escaping @Sendable (Result<Session, any Error>) -> Void
  ) {
    do { try memory.requireRoom() } catch { return done(.failure(error)) }
    let id = makeID()
    switch table.withLock({ $0.reserve(id, limit: limits.sessions, isNamed: name != nil) }) {
    case .reserved: break
    case .full: return done(.failure(SessionLimitReached()))
    case .taken: return done(.failure(StoreError.conflict))
    }
    let session = Session(
      id: id,
      viewModel: viewModel,
      parameters: parameters?.text ?? [],
      identity: identity,
      name: name?.text,
      created: clock.now,
      used: dependencies.time.now,
      context
    )
    do {
      try session.begin(.new(parameters))
    } catch {
      openFailed(session)
      return done(.failure(error))
    }
    guard let store else {
      if let name, let other = table.withLock({ $0.claim(name, for: id) }) {
        openFailed(session)
        return done(.failure(StoreError.taken(by: other)))
      }
      opened(session, attaching: object)
      session.start()
      return done(.success(session))
    }
    guard let record = session.initialRecord else {
      openFailed(session)
      return done(.failure(StoreError.closed))
    }
    let node = ownership.node
    store.commit(.create(record)) { [self] error in
      if let error {
        openFailed(session, isInDoubt: error == .inDoubt)
        storeFailed(error)
        return done(.failure(error))
      }
      opened(session, attaching: object)
      // The session is stored, but under a lease that has expired since.
      if ownership.node != node { session.instance?.log.abandon(.fenced) }
      session.start()
      done(.success(session))
    }
  }

  private func opened(_ session: Session, attaching object: (any AnyObject & Sendable)?) {
    table.withLock { $0.opened(session, attaching: object) }
    if session.name != nil { finish(session.id, nil) }
    report(.created(session.id, viewModel: session.viewModel.name))
  }

  private func openFailed(_ session: Session, isInDoubt: Bool = false) {
    let isNamed = session.name != nil
    change { $0.openFailed(session.id, isInDoubt: isInDoubt, isNamed: isNamed, now: $1) }
    if isNamed { finish(session.id, nil) }
    session.stop()
  }
}
