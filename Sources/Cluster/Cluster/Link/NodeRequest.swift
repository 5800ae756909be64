package import FusionHTTPMessages

/// A request from one node to another, as it goes over the wire.
package struct NodeRequest: Sendable {
  /// Where the other one listens: `http://10.0.0.3:7946`.
  package var address: String
  package var method: HTTPMethod
  /// In origin form (RFC 9112 §3.2.1).
  package var target: String
  package var headers: HTTPHeaders
  /// Only where the method is one that has a body.
  package var body: [UInt8]
  /// From being sent to the end of the answer; nil for a stream, which has none.
  package var deadline: Duration?
  /// Whether its answer is held back on purpose: such requests have connections of their own, so that the
  /// others need not wait behind them.
  package var isHeld = false

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

/// The other node's answer.
package struct NodeAnswer: Sendable {
  package var status = 0
  package var headers = HTTPHeaders()
  package var body: [UInt8] = []

  package init() {}
}

/// Why there is no answer; the texts are for the log.
package enum NodeLinkError: Error, Equatable {
  /// The other node has not seen the request.
  case notSent(String)
  /// The same, as too many requests wait for it already.
  case full
  /// The request was sent, in part or in whole: the other node may have done what it asks for.
  case noAnswer(String)
}

/// An event of an answer that is handed over piece by piece, in this order.
package enum NodeStreamEvent: Sendable {
  /// Once, if there is an answer.
  case head(status: Int)
  case bytes([UInt8])
  /// Once, and the last: nil where the answer has come to its end.
  case end(NodeLinkError?)
}
