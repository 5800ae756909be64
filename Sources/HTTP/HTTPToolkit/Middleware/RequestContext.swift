package import FusionHTTPMessages
package import FusionMetrics

/// The parts of a request that are kept until its response leaves, for the ``ResponseStep``s.
package struct RequestContext: Sendable {
  package let id: RequestID
  /// Nil where the head could not be believed.
  package let method: HTTPMethod?
  /// Nil where no route matches.
  package let path: PathParameters?
  package let headers: HTTPHeaders
  /// The address of the client; nil where that is not known.
  package let client: IPAddress?
  /// Runs since the request was complete.
  package let stopwatch = Stopwatch()

  package init(_ request: HTTPRequest, at path: PathParameters?) {
    id = request.id
    method = request.method
    self.path = path
    headers = request.headers
    client = request.arrival.client
  }

  init(_ rejected: RejectedRequest, from client: IPAddress?) {
    id = rejected.id
    method = rejected.method
    path = nil
    headers = rejected.headers
    self.client = client
  }
}
