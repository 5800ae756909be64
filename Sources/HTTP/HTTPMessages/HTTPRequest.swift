/// A request: its head, and its whole body unless the body is ``incoming``.
package struct HTTPRequest: Sendable {
  package var method: HTTPMethod
  package var target: RequestTarget
  package var headers: HTTPHeaders
  package var body: [UInt8]
  /// The body, if the handler reads it as it arrives.
  package var incoming: IncomingBody?
  package var connection = ConnectionInfo()
  /// Whether another node of the service forwarded the request and checked its connection.
  package var isFromNode = false
  /// Whether the connected client is a trusted proxy.
  package var isFromTrustedProxy = false
  /// The sender; nil if it is anonymous.
  package var sender: RequestSender?
  /// The login with which a stream that answers the request ends; nil if it is the sender's.
  package var loginOfStream: (any SenderLogin)?
  /// The id from the headers, or a new one.
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

/// The methods that the server knows (RFC 9110 §9.3, RFC 5789, and the working group's QUERY).
///
/// Any other method is answered with 501; a known one that a resource does not support with 405 (RFC 9110
/// §9.1).
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

/// A function that answers a request: calls `respond` exactly once, on any thread, before or after it
/// returns.
package typealias HTTPHandler =
  @Sendable (_ request: HTTPRequest, _ respond: any HTTPResponder) -> Void

/// The object that sends the answer to one request.
package protocol HTTPResponder: AnyObject, Sendable {
  /// Answers the request. Any thread; only the first call has an effect.
  func callAsFunction(_ response: consuming HTTPResponse)
  /// Calls a function, at most once and on any thread, if the client leaves before it is answered.
  func whenClientLeaves(_ act: @escaping @Sendable () -> Void)
}

extension HTTPResponder {
  package func whenClientLeaves(_ act: @escaping @Sendable () -> Void) {}
}

/// The facts about a request's connection, from the connection itself or from a trusted proxy.
package struct ConnectionInfo: Sendable {
  /// The client's address; nil over a Unix socket.
  package var client: IPAddress?
  /// Whether the client spoke TLS.
  package var isEncrypted = false
  /// Whether the request is HTTP/1.1 rather than 1.0.
  package var isHTTP11 = true
  /// Whether a trusted proxy supplied any of these facts.
  package var isForwarded = false
  /// Whether a trusted proxy supplied the client's address.
  package var isClientForwarded = false
  package init() {}

  package var scheme: String { isEncrypted ? "https" : "http" }
}

/// A request that the server answers itself: it refused the head or body, or the handler did not answer.
package struct RejectedRequest: Sendable {
  package let problem: Problem
  package let id: RequestID
  /// The method; nil if the head was refused.
  package let method: HTTPMethod?
  /// The header fields; empty if the head was refused.
  package let headers: HTTPHeaders
  package let connection: ConnectionInfo

  package init(
    _ problem: Problem,
    id: RequestID,
    method: HTTPMethod?,
    headers: HTTPHeaders,
    connection: ConnectionInfo = ConnectionInfo()
  ) {
    self.connection = connection
    self.problem = problem
    self.id = id
    self.method = method
    self.headers = headers
  }
}
