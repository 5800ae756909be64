package import FusionHTTPMessages
import FusionMetrics

/// A check that every request must pass before it is processed.
package protocol RequestCheck: Sendable {
  /// Throws the problem to answer with if the request must be refused.
  func check(_ request: HTTPRequest) throws(Problem)
}

/// A step that processes every response before it is sent.
///
/// Called on the thread that answers, so a step must not block. A class, so that a call copies nothing.
package protocol ResponseStep: AnyObject, Sendable {
  /// Observes or completes a response.
  func finish(_ response: inout HTTPResponse, to request: RequestContext)
}

/// The checks of requests and the steps of responses, in order.
///
/// Responses to requests that the server itself rejects take the same steps. The server adds the headers that
/// are the same on every response: ``headersOnEveryResponse(_:securityAge:)``.
package final class Middleware: Sendable {
  private let checks: [any RequestCheck]
  private let steps: [any ResponseStep]
  /// Whether browsers get problems as pages.
  let hasPages: Bool

  package init(checks: [any RequestCheck], steps: [any ResponseStep], hasPages: Bool = true) {
    self.checks = checks
    self.steps = steps
    self.hasPages = hasPages
  }

  /// Middleware without checks and steps.
  package static let none = Middleware(checks: [], steps: [], hasPages: false)

  /// Returns the same steps with other checks, without pages.
  package func withoutPages(checks: [any RequestCheck]) -> Middleware {
    Middleware(checks: checks, steps: steps, hasPages: false)
  }

  /// Throws the problem to answer with, whatever the request is for.
  package func check(_ request: HTTPRequest) throws(Problem) {
    for check in checks { try check.check(request) }
  }

  /// Applies all steps to a response.
  package func finish(_ response: inout HTTPResponse, to request: RequestContext) {
    for step in steps { step.finish(&response, to: request) }
  }

  /// Returns the response to a request that the server rejects.
  package func response(to rejected: RejectedRequest, from client: IPAddress?) -> HTTPResponse {
    var response = rejected.problem.response
    finish(&response, to: RequestContext(rejected, from: client, hasPages: hasPages))
    return response
  }
}

/// The parts of a request that are kept for the ``ResponseStep``s.
package struct RequestContext: Sendable {
  package let id: RequestID
  /// The method; nil if the head was malformed.
  package let method: HTTPMethod?
  /// The path with its route's pattern; nil if no route matches.
  package let path: PathParameters?
  package let headers: HTTPHeaders
  /// The address of the client; nil if it is unknown.
  package let client: IPAddress?
  /// The id of the sender's identity; nil for an anonymous sender.
  package var identity: String?
  let hasPages: Bool
  /// The stopwatch, running since the request was complete.
  let stopwatch = Stopwatch()
  /// The time since the request was complete, in nanoseconds.
  package var nanoseconds: Int { stopwatch.nanoseconds }

  init(_ request: borrowing HTTPRequest, at path: PathParameters?, hasPages: Bool) {
    id = request.id
    method = request.method
    self.path = path
    headers = request.headers
    client = request.connection.client
    self.hasPages = hasPages
  }

  init(_ rejected: RejectedRequest, from client: IPAddress?, hasPages: Bool) {
    id = rejected.id
    method = rejected.method
    path = nil
    headers = rejected.headers
    self.client = client
    self.hasPages = hasPages
  }
}
