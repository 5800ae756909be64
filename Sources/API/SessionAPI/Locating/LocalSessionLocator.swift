import FusionHTTPMessages
package import FusionSessions

/// The locator of a process that does not share its store: all sessions are here.
package struct LocalSessionLocator: SessionLocator {
  private let host: SessionHost

  package init(_ host: SessionHost) {
    self.host = host
  }

  package func locate(
    _ ids: [SessionID],
    for request: SessionRequest,
    _ done: @escaping @Sendable (SessionRequest, WakeFailure?) -> Void
  ) {
    host.waker.wake(ids) { done(request, $0) }
  }

  package func delete(
    _ id: SessionID,
    if check: @escaping PermissionCheck,
    for request: SessionRequest,
    _ done: @escaping @Sendable (SessionRequest, SessionDeletion) -> Void
  ) {
    host.ender.delete(id, by: request.http.sender?.identity, if: check) { done(request, $0) }
  }

  package func follow(
    _ sessions: [(id: SessionID, seen: Int)],
    _ done: @escaping @Sendable ([FollowedSession]) -> Void
  ) {
    let ids = sessions.map(\.id)
    let sleeping = ids.filter(host.directory.isAsleep)
    guard !sleeping.isEmpty else { return done(ids.map(find)) }
    host.waker.wake(sleeping) { failure in
      done(ids.map { id in failure.map { .failed($0) } ?? find(id) })
    }
  }

  private func find(_ id: SessionID) -> FollowedSession {
    switch host.directory.find(id) {
    case .resident(let session): .found(session)
    case .ended(let end): .ended(end)
    case .unknown: .unknown
    case .asleep: .failed(.store(.unreachable("the session fell asleep")))
    }
  }
}
