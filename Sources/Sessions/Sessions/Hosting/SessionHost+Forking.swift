import Synchronization
import UIFusionKit

extension SessionHost {
  /// Creates a session that goes on from another's past, without any effect on it; `done` is called once it is awake.
  ///
  /// The failure is as of ``create(_:parameters:attaching:_:)``, or a ``WakeFailure``: then the new session is stored,
  /// and no client has its id. Where the view model cannot read the State, nothing is created.
  ///
  /// - Parameters:
  ///   - past: the session to go on from.
  ///   - carriesWork: whether the view model is told of the work that was running then, and the new session gets the
  ///     alarms that are set now.
  ///   - object: an object that is kept until the session ends.
  ///   - done: given the new session.
  package func fork(
    _ past: PastSession,
    carriesWork: Bool,
    attaching object: (any AnyObject & Sendable)? = nil,
    _ done: @escaping @Sendable (Result<Session, any Error>) -> Void
  ) {
    let id = makeID()
    let record = past.fork(id, carriesWork: carriesWork, at: clock.now)
    guard let store, let viewModel = viewModel(named: record.viewModel) else {
      return done(.failure(WakeFailure.unreadable(viewModel: record.viewModel)))
    }
    do {
      try memory.requireRoom()
      _ = try viewModel.changes(in: record, dropsMembers: limits.dropsMembers, dependencies)
    } catch let error as MemoryFull {
      return done(.failure(error))
    } catch {
      return done(.failure(WakeFailure.unreadable(viewModel: record.viewModel)))
    }
    switch table.withLock({ $0.reserve(id, limit: limits.sessions) }) {
    case .reserved: break
    case .full: return done(.failure(SessionLimitReached()))
    case .taken: return done(.failure(StoreError.conflict))
    }
    store.commit(.create(record)) { [self] error in
      if let error {
        change { $0.openFailed(id, isInDoubt: error == .inDoubt, now: $1) }
        storeFailed(error)
        return done(.failure(error))
      }
      change { $0.forked(record, attaching: object, now: $1) }
      report(.created(id, viewModel: record.viewModel))
      wake([id]) { [self] failure in
        if let failure { return done(.failure(failure)) }
        guard case .live(let session) = find(id) else {
          return done(.failure(StoreError.unreachable("the new session was lost")))
        }
        done(.success(session))
      }
    }
  }
}

extension PastSession {
  /// Returns a new session that goes on from this one, and belongs to the same identity.
  package func fork(_ id: SessionID, carriesWork: Bool, at time: WallTime) -> StoredSession {
    var head = head
    head.sequence = 0
    if !carriesWork { head.running = [] }
    return StoredSession(
      id: id,
      viewModel: session.viewModel,
      parameters: session.parameters,
      identity: session.identity,
      created: time,
      used: time,
      head: head,
      // The original session hands over its messages itself.
      alarms: session.alarms.filter { carriesWork ? !$0.isMessage : $0.isRecord }
    )
  }
}
