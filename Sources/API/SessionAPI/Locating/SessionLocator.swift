package import FusionHTTPMessages
package import FusionHTTPToolkit
package import FusionSessions

/// The way in which resources find a session by its id: on this node, on another, or nowhere.
///
/// ``LocalSessionLocator`` serves a process that does not share its store; if several nodes share one, the
/// cluster has its own locator. No function waits. Each calls its closure at most once, on any thread,
/// possibly before the function returns.
package protocol SessionLocator: Sendable {
  /// Finds the sessions that a request requires to be awake.
  ///
  /// - Parameters:
  ///   - ids: the sessions, at least one.
  ///   - request: the request that requires them.
  ///   - done: called with the request to continue with. The failure is nil if the sessions are here, awake
  ///     until `done` returns; an unknown or ended session counts as being here, too. Not called if a session
  ///     is on another node: then that node's answer goes to the request's `respond`.
  func locate(
    _ ids: [SessionID],
    for request: SessionRequest,
    _ done: @escaping @Sendable (SessionRequest, WakeFailure?) -> Void
  )

  /// Ends a session that the request's sender may end, on any node; calls `done` like ``locate(_:for:_:)``.
  func delete(
    _ id: SessionID,
    if check: @escaping PermissionCheck,
    for request: SessionRequest,
    _ done: @escaping @Sendable (SessionRequest, SessionDeletion) -> Void
  )

  /// Finds the sources for a stream, on any node.
  ///
  /// - Parameters:
  ///   - sessions: the sessions, with the versions that the stream's client has; 0 for none.
  ///   - done: called with one result for each session, in their order.
  func follow(
    _ sessions: [(id: SessionID, seen: Int)],
    _ done: @escaping @Sendable ([FollowedSession]) -> Void
  )

  /// Asks another node whether it can open a stream for a request; `done` is called with the reason if it
  /// cannot, otherwise, or without an answer, with nil.
  func ask(
    _ node: Node,
    forStreamOf request: HTTPRequest,
    _ done: @escaping @Sendable (Problem?) -> Void
  )

  /// Opens another node's stream for a request; `take` is called with its bytes, in order, and with nil at
  /// the end.
  ///
  /// Returns a function that ends the stream.
  func stream(
    _ request: HTTPRequest,
    from node: Node,
    _ take: @escaping @Sendable ([UInt8]?) -> Void
  ) -> @Sendable () -> Void
}

extension SessionLocator {
  package func ask(
    _ node: Node,
    forStreamOf request: HTTPRequest,
    _ done: @escaping @Sendable (Problem?) -> Void
  ) { done(nil) }

  /// Ends the stream at once, since there are no other nodes.
  package func stream(
    _ request: HTTPRequest,
    from node: Node,
    _ take: @escaping @Sendable ([UInt8]?) -> Void
  ) -> @Sendable () -> Void {
    take(nil)
    return {}
  }
}

/// The outcome of ending a session: what a lookup would have found before.
package typealias SessionDeletion = Result<SessionLookup, WakeFailure>

/// A request for a session, with the destination of its answer.
package struct SessionRequest: Sendable {
  package var http: HTTPRequest
  /// Takes the answer, exactly once.
  package var respond: PendingResponse
  /// Counts Inputs towards the client's rate limit, or takes them back if the number is negative, which never
  /// throws; nil if Inputs are not limited.
  ///
  /// A node that forwards the request calls it; the node that processes the Inputs does not count them again.
  package let admitInputs: (@Sendable (Int) throws(Problem) -> Void)?
}

/// The outcome of looking for a session for a stream.
package enum FollowedSession: Sendable {
  /// The source shows the session for as long as the source is retained.
  case found(any StreamSource)
  case ended(SessionEnd)
  case unknown
  case failed(WakeFailure)
}
