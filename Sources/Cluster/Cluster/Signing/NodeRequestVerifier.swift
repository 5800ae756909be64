package import FusionHTTPMessages

/// The handler of the port between nodes, which accepts only signed requests.
///
/// A request is accepted if its signature is valid and its nonce is for this process's current number, at most
/// ``tolerance`` off by this machine's calendar, and new. So an eavesdropper can neither change a request nor send it
/// again, to this node or to another.
package final class NodeRequestVerifier: Sendable {
  /// The largest difference between two nodes' calendars, with the time that a request takes; in milliseconds.
  static let tolerance: Int64 = 30_000

  private let signature: NodeSignature
  private let replays = ReplayGuard()
  private let number: @Sendable () -> Int64?
  private let now: @Sendable () -> Int64
  private let refused: @Sendable () -> Void
  private let handler: HTTPHandler

  /// - Parameters:
  ///   - signature: checks with the secret of all nodes.
  ///   - number: this node's present number; nil while it has none.
  ///   - now: the calendar's time, in milliseconds since 1970.
  ///   - refused: called for each request without a valid signature.
  ///   - handler: answers the requests that are taken.
  package init(
    _ signature: NodeSignature,
    number: @escaping @Sendable () -> Int64?,
    now: @escaping @Sendable () -> Int64,
    refused: @escaping @Sendable () -> Void = {},
    handler: @escaping HTTPHandler
  ) {
    self.signature = signature
    self.number = number
    self.now = now
    self.refused = refused
    self.handler = handler
  }

  package func handle(_ request: HTTPRequest, _ responder: any HTTPResponder) {
    if let refusal = refusal(of: request) {
      if refusal == .unsigned { refused() }
      return responder(refusal.response)
    }
    handler(asAtFirstNode(request), responder)
  }

  private func refusal(of request: HTTPRequest) -> NodeRefusal? {
    guard let nonce = request.headers[NodeHeaders.nonce].flatMap(Nonce.init),
      signature.isValid(on: request), abs(nonce.time - now()) <= Self.tolerance
    else { return .unsigned }
    guard nonce.addressee == number() else { return .elsewhere }
    return replays.accept(nonce) ? nil : .repeated
  }

  private func asAtFirstNode(_ request: HTTPRequest) -> HTTPRequest {
    var request = request
    request.isFromNode = true
    let arrival = request.headers[NodeHeaders.arrival] ?? ""
    request.connection = ConnectionInfo(betweenNodes: arrival)
    request.sender = .sender(betweenNodes: arrival)
    for name in NodeHeaders.all { request.headers[name] = nil }
    return request
  }
}

extension NodeRefusal {
  // A response to a stranger tells nothing about the request's target.
  fileprivate var response: HTTPResponse {
    let status = self == .elsewhere ? 421 : 403
    return HTTPResponse(status, headers: [NodeHeaders.refusal: rawValue])
  }
}

private func abs(_ number: Int64) -> Int64 {
  number.magnitude > UInt64(Int64.max) ? .max : Swift.abs(number)
}
