package import FusionHTTPMessages
package import FusionSessions

/// The way to the nodes that have the sessions which this one has not.
///
/// Its functions do not wait; what they are given is called once for each thing, on any thread, and
/// must not block.
package protocol RequestForwarding: Sendable {
  /// Forwards a request to a node, which answers it as if it had come there.
  ///
  /// - Parameters:
  ///   - request: as its client has sent it; its arrival and its id go with it.
  ///   - node: where it goes.
  ///   - deadline: for how long an answer is waited for.
  ///   - isHeld: whether the client wants the answer to wait for something.
  ///   - done: is given the answer, whatever its status.
  func forward(
    _ request: HTTPRequest,
    to node: Node,
    within deadline: Duration,
    isHeld: Bool,
    _ done: @escaping @Sendable (Result<HTTPResponse, ForwardingError>) -> Void
  )

  /// Follows a session on another node, from now on: the body of ``SessionRoutes/feed``.
  func follow(
    _ id: SessionID,
    on node: Node,
    _ take: @escaping @Sendable (UpstreamEvent) -> Void
  ) -> any Upstream
}

/// Why another node has not answered; the texts are for the log.
package enum ForwardingError: Error, Equatable {
  /// It does not have the session, and has done nothing.
  case notOwner
  /// It has not seen the request, or has not taken it.
  case notSent(String)
  /// The same, as more waits for its answers than may.
  case full
  /// It may have done what it was asked to.
  case noAnswer(String)
}

/// An event of a session that is followed on another node.
package enum UpstreamEvent: Sendable {
  /// It begins.
  case open
  case bytes([UInt8])
  /// There is no more; the last one.
  case end
}

/// A session on another node that is followed.
package protocol Upstream: Sendable {
  /// From here on it need not be; what is on its way may still come.
  func cancel()
}
