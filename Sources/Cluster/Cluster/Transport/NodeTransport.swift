package import FusionHTTPMessages
package import FusionSessions

/// The transport of requests to other nodes.
///
/// Functions do not wait. Closures are called on any thread, and must not block.
package protocol NodeTransport: Sendable {
  /// Sends a request to a node, which answers it in place of this one.
  ///
  /// - Parameters:
  ///   - request: the request; its id and its client's address go with it.
  ///   - node: the receiver.
  ///   - deadline: how long the answer may take.
  ///   - lane: the connections that the request goes over.
  ///   - done: called once with the answer, whatever its status.
  func forward(
    _ request: HTTPRequest,
    to node: Node,
    within deadline: Duration,
    over lane: NodeLane,
    _ done: @escaping @Sendable (Result<HTTPResponse, ForwardingError>) -> Void
  )

  /// Asks a node for a stream; `take` is called with its events, in order.
  func open(
    _ request: HTTPRequest,
    on node: Node,
    over lane: NodeLane,
    _ take: @escaping @Sendable (UpstreamEvent) -> Void
  ) -> any Upstream
}

/// The reason why another node has not answered; the texts are for the log.
package enum ForwardingError: Error, Equatable {
  /// The node does not have the session, and has done nothing.
  case notOwner
  /// The node has not taken the request.
  case notSent(String)
  /// The request was not sent, as too many wait for the node already.
  case full
  /// The node may have carried out the request.
  case noAnswer(String)
}

/// An event of a stream from another node.
package enum UpstreamEvent: Sendable {
  case bytes([UInt8])
  /// The last event: the stream is over, or the node has refused it.
  case end
}

/// A stream from another node.
package protocol Upstream: Sendable {
  /// Ends the stream; events that are on their way may still come.
  func cancel()
}
