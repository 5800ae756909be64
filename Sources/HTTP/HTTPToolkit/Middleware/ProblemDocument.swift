import FusionHTTPMessages

/// Writes a problem's body, with the id of the request in it.
final class ProblemDocument: AnswerStep {
  private let basePath: BasePath

  init(below basePath: BasePath) {
    self.basePath = basePath
  }

  func finish(
    _ response: inout HTTPResponse,
    to request: RequestContext,
    after nanoseconds: Int
  ) {
    guard response.status >= 400, case .problem(let problem) = response.body else { return }
    response.body = .bytes(problem.document(requestID: request.id, below: basePath.text))
  }
}
