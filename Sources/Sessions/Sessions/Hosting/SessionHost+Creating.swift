import Synchronization
import UIFusionKit

extension SessionHost {
  /// The failure to create a session when there are as many as may be.
  package struct Full: Error {}

  /// Creates a session; `done` is called once the session is stored, at once where there is no store.
  ///
  /// The failure is a ``StoreError``, ``Full``, ``MemoryFull``, or what is wrong with the parameters.
  ///
  /// - Parameters:
  ///   - viewModel: the session's view model.
  ///   - parameters: the client's parameters.
  ///   - kept: an object that is kept until the session ends, or this process does. Where other nodes may end the
  ///     session, the object is kept until the session has been away from this node for the idle time.
  ///   - done: given the session.
  package func create(
    _ viewModel: HostedViewModel,
    parameters: (any Parameters)? = nil,
    keeping kept: (any AnyObject & Sendable)? = nil,
    _ done: @escaping @Sendable (Result<Session, any Error>) -> Void
  ) {
    do { try memory.requireRoom() } catch { return done(.failure(error)) }
    let id = makeID()
    switch table.withLock({ $0.reserve(id, limit: limits.sessions) }) {
    case .reserved: break
    case .full: return done(.failure(Full()))
    case .taken: return done(.failure(StoreError.conflict))
    }
    let session = Session(
      id: id,
      viewModel: viewModel,
      parameters: parameters?.text ?? [],
      created: clock.now,
      used: dependencies.time.now,
      context
    )
    do {
      try session.begin(.new(parameters))
    } catch {
      notOpened(id)
      return done(.failure(error))
    }
    guard let store else {
      opened(session, keeping: kept)
      session.start()
      return done(.success(session))
    }
    guard let record = session.initialRecord else {
      notOpened(id)
      return done(.failure(StoreError.closed))
    }
    let node = ownership.node
    store.commit(.create(record)) { [self] error in
      if let error {
        notOpened(id, isInDoubt: error == .inDoubt)
        session.stop()
        storeFailed(error)
        return done(.failure(error))
      }
      opened(session, keeping: kept)
      // The session stands, but under a lease that has run out since.
      if ownership.node != node { session.instance?.log.abandon(.fenced) }
      session.start()
      done(.success(session))
    }
  }

  private func opened(_ session: Session, keeping kept: (any AnyObject & Sendable)?) {
    table.withLock { $0.opened(session, keeping: kept) }
    report(.created(session.id, viewModel: session.viewModel.name))
  }

  private func notOpened(_ id: SessionID, isInDoubt: Bool = false) {
    change { $0.notOpened(id, isInDoubt: isInDoubt, now: $1) }
  }
}
