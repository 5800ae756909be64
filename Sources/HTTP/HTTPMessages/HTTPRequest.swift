/// A request that has arrived complete: its head, and all of its body.
package struct HTTPRequest: Sendable {
  package var method: HTTPMethod
  package var target: RequestTarget
  package var headers: HTTPHeaders
  package var body: [UInt8]
  package var arrival = ConnectionInfo()
  /// Whether another node of the service has passed it on, which has looked at how it arrived.
  package var isFromNode = false
  /// From its headers, or made here.
  package let id: RequestID

  package init(
    _ method: HTTPMethod,
    _ target: RequestTarget,
    headers: HTTPHeaders = [:],
    body: [UInt8] = []
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    id = RequestID(of: headers)
  }
}

/// The methods that this service knows (RFC 9110 §9.3, RFC 5789, and the working group's QUERY).
///
/// A known one that a resource does not have is 405, any other 501 (RFC 9110 §9.1).
package enum HTTPMethod: String, Sendable, CaseIterable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
  case options = "OPTIONS"
  case trace = "TRACE"
  case query = "QUERY"
  case connect = "CONNECT"
}

/// Answers a request: calls `respond` exactly once, on any thread, during the call or after it.
package typealias HTTPHandler =
  @Sendable (_ request: HTTPRequest, _ respond: any HTTPResponder) -> Void

/// Where the answer to one request goes.
package protocol HTTPResponder: AnyObject, Sendable {
  /// Answers; only the first call counts.
  ///
  /// Any thread.
  func callAsFunction(_ response: consuming HTTPResponse)
}
