package import FusionHTTPMessages

/// Writes the body of a problem with the request's id in it.
///
/// The last of the steps, so that those before it see the problem itself.
package final class ProblemDocument: ResponseStep {
  private let basePath: String

  /// - Parameter basePath: the text that the problem's `type` begins with.
  package init(below basePath: String) {
    self.basePath = basePath
  }

  package func finish(
    _ response: inout HTTPResponse,
    to request: RequestContext,
    after nanoseconds: Int
  ) {
    guard response.status >= 400, case .problem(let problem) = response.body else { return }
    response.body = .bytes(problem.document(requestID: request.id, below: basePath))
  }
}
