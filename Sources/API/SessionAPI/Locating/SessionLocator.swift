package import FusionHTTPMessages
package import FusionHTTPToolkit
package import FusionSessions

/// The way in which resources reach a session by its id: it is here, elsewhere or nowhere.
///
/// ``LocalSessionLocator`` serves a process that has its sessions to itself; where several nodes share a store,
/// the cluster has a locator of its own. No function waits. Each calls its closure at most once, on any
/// thread, perhaps before the function returns.
package protocol SessionLocator: Sendable {
  /// Finds the sessions that a request needs awake.
  ///
  /// - Parameters:
  ///   - ids: the sessions, at least one.
  ///   - request: the request that needs them.
  ///   - done: called with the request to go on with. The failure is nil where the sessions are here, awake until
  ///     `done` returns; an unknown or ended session counts as here, too. Not called where a session is elsewhere:
  ///     then the other node's answer goes to the request's `respond`.
  func locate(
    _ ids: [SessionID],
    for request: SessionRequest,
    _ done: @escaping @Sendable (SessionRequest, WakeFailure?) -> Void
  )

  /// Ends a session, wherever it is; calls `done` as ``locate(_:for:_:)`` does.
  func delete(
    _ id: SessionID,
    for request: SessionRequest,
    _ done: @escaping @Sendable (SessionRequest, SessionDeletion) -> Void
  )

  /// Finds what a stream is to show, wherever that is.
  ///
  /// - Parameters:
  ///   - sessions: the sessions, and the versions that the stream's client has; 0 for none.
  ///   - done: called with one result for each session, in their order.
  func follow(
    _ sessions: [(id: SessionID, seen: Int)],
    _ done: @escaping @Sendable ([FollowedSession]) -> Void
  )

  /// Asks another node whether it has a stream for a request; `done` is called with the reason why it has none, or with
  /// nil, also where that does not answer.
  func ask(
    _ node: Node,
    forStreamOf request: HTTPRequest,
    _ done: @escaping @Sendable (Problem?) -> Void
  )

  /// Opens another node's stream of a request; `take` is called with its bytes, in order, and with nil at the end.
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

  /// Ends the stream at once: there are no other nodes.
  package func stream(
    _ request: HTTPRequest,
    from node: Node,
    _ take: @escaping @Sendable ([UInt8]?) -> Void
  ) -> @Sendable () -> Void {
    take(nil)
    return {}
  }
}

/// The outcome of ending a session: what the session was until then.
package typealias SessionDeletion = Result<SessionLookup, WakeFailure>

/// A request for a session, and the way of its answer.
package struct SessionRequest: Sendable {
  package var http: HTTPRequest
  /// Takes the answer, once.
  package var respond: PendingResponse
  /// Counts so many Inputs against the client's rate, or takes them back where the number is negative, which never
  /// throws; nil where Inputs are not limited.
  ///
  /// A node that passes the request on calls it: the node that processes the Inputs does not count them.
  package let admitInputs: (@Sendable (Int) throws(Problem) -> Void)?
}

/// The outcome of looking for a session that a stream is to show.
package enum FollowedSession: Sendable {
  /// The source shows the session for as long as the source is retained.
  case found(any StreamSource)
  case ended(SessionEnd)
  case unknown
  case failed(WakeFailure)
}
