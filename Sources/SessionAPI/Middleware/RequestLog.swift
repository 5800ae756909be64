package import FusionHTTPMessages

/// What the log says of one request; a stream's is said when it begins.
package struct RequestRecord: Sendable {
  package let id: RequestID
  /// Nil where the head could not be believed.
  package let method: HTTPMethod?
  /// The pattern of the path, never the path, which may hold a session's id; nil where none was looked
  /// for, or fits.
  package let route: String?
  package let status: Int
  /// From the complete request to its answer.
  package let duration: Duration
  /// The type of the problem that it is answered with, if it is one.
  package let problem: String?
}

/// Hands a record of each request to the log; there is none where the log would not take it.
final class RequestLog: AnswerStep {
  private let write: @Sendable (RequestRecord) -> Void

  init(write: @escaping @Sendable (RequestRecord) -> Void) {
    self.write = write
  }

  func finish(
    _ response: inout HTTPResponse,
    to request: RequestContext,
    after nanoseconds: Int
  ) {
    var type: String?
    if case .problem(let problem) = response.body { type = problem.type }
    write(
      RequestRecord(
        id: request.id,
        method: request.method,
        route: request.route?.pattern.text,
        status: response.status,
        duration: .nanoseconds(nanoseconds),
        problem: type
      )
    )
  }
}
