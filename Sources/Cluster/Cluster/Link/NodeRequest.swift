package import FusionHTTPMessages

/// A request from one node to another, as it is sent.
package struct NodeRequest: Sendable {
  /// The other node's address: `http://10.0.0.3:7946`.
  package var address: String
  package var method: HTTPMethod
  /// The target in origin form (RFC 9112 §3.2.1).
  package var target: String
  package var headers: HTTPHeaders
  /// The body; empty if the method has none.
  package var body: [UInt8]
  /// The time until the end of the answer; nil for a stream.
  package var deadline: Duration?
  package var lane = NodeLane.prompt

  package init(
    _ method: HTTPMethod,
    _ target: String,
    at address: String = "",
    headers: HTTPHeaders = [:],
    body: [UInt8] = [],
    deadline: Duration? = nil
  ) {
    self.method = method
    self.target = target
    self.address = address
    self.headers = headers
    self.body = body
    self.deadline = deadline
  }
}

/// A group of connections; a request does not wait for requests on other lanes.
package enum NodeLane: Sendable {
  /// For requests that are answered at once.
  case prompt
  /// For requests whose answers may be held back, as a long poll's is, or go on, as a trace's does.
  case held
  /// For requests that nodes make by themselves: feeds, topics, and health checks.
  case own
}

/// The other node's answer.
package struct NodeAnswer: Sendable {
  package var status = 0
  package var headers = HTTPHeaders()
  package var body: [UInt8] = []

  package init() {}
}

/// The reason why there is no answer; the texts are for the log.
package enum NodeLinkError: Error, Equatable {
  /// The other node has not seen the request.
  case notSent(String)
  /// The other node has not seen the request, as too many already wait for it.
  case full
  /// The request was sent, in part or in whole: the other node may have carried it out.
  case noAnswer(String)
}
