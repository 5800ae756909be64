import UIFusionKit

/// Creates sessions that go on from others' pasts.
package final class Forker: Sendable {
  private let directory: LockedDirectory
  private let viewModels: HostedViewModels
  private let creator: Creator
  private let waker: Waker
  private let context: SessionContext

  init(
    _ directory: LockedDirectory,
    _ viewModels: HostedViewModels,
    _ creator: Creator,
    _ waker: Waker,
    _ context: SessionContext
  ) {
    (self.directory, self.viewModels) = (directory, viewModels)
    (self.creator, self.waker, self.context) = (creator, waker, context)
  }

  /// Creates a session that goes on from another's past, without any effect on it; `done` is called once it is awake.
  ///
  /// The failure is as of ``Creator/create(_:parameters:for:by:name:attaching:_:)``, or a ``WakeFailure``: then the new
  /// session is stored, and no client has its id. Where the view model cannot read the State, nothing is created.
  ///
  /// - Parameters:
  ///   - past: the session to go on from.
  ///   - carriesWork: whether the view model is told of the work that was running then, and the new session gets the
  ///     alarms that are set now.
  ///   - sender: who forks; nil if that is unknown.
  ///   - object: an object that is kept until the session ends.
  ///   - done: given the new session.
  package func fork(
    _ past: PastSession,
    carriesWork: Bool,
    by sender: String? = nil,
    attaching object: (any AnyObject & Sendable)? = nil,
    _ done: @escaping @Sendable (Result<Session, any Error>) -> Void
  ) {
    let record = past.fork(
      creator.makeID(),
      carriesWork: carriesWork,
      by: sender,
      at: context.clock.now
    )
    do {
      // Reading the State takes memory, too.
      try context.memory.requireRoom()
      guard isReadable(record) else {
        throw WakeFailure.unreadable(viewModel: record.viewModel)
      }
    } catch {
      return done(.failure(error))
    }
    let event = SessionEvent.forked(record.id, from: past.session.id, by: sender)
    creator.create(from: record, reporting: event, attaching: object) { [self] error in
      if let error { return done(.failure(error)) }
      wake(record.id, done)
    }
  }

  private func isReadable(_ record: StoredSession) -> Bool {
    guard let viewModel = viewModels.named(record.viewModel) else { return false }
    let (drops, dependencies) = (context.limits.dropsMembers, context.dependencies)
    return (try? viewModel.changes(in: record, dropsMembers: drops, dependencies)) != nil
  }

  private func wake(
    _ id: SessionID,
    _ done: @escaping @Sendable (Result<Session, any Error>) -> Void
  ) {
    waker.wake([id]) { [directory] failure in
      if let failure { return done(.failure(failure)) }
      guard case .resident(let session) = directory.find(id) else {
        return done(.failure(StoreError.unreachable("the new session was lost")))
      }
      done(.success(session))
    }
  }
}

extension PastSession {
  /// Returns a new session that goes on from this one, and belongs to the same identity; one of nobody's keeps its creator
  /// where it is unknown who forks.
  package func fork(
    _ id: SessionID,
    carriesWork: Bool,
    by sender: String? = nil,
    at time: WallTime
  ) -> StoredSession {
    var head = head
    head.sequence = 0
    if !carriesWork { head.running = [] }
    return StoredSession(
      id: id,
      viewModel: session.viewModel,
      parameters: session.parameters,
      identity: session.identity,
      creator: session.identity == nil ? sender ?? session.creator : nil,
      created: time,
      used: time,
      head: head,
      // The original session hands over its messages itself.
      alarms: session.alarms.filter { carriesWork ? !$0.isMessage : $0.isRecord }
    )
  }
}
