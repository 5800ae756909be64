package import FusionHTTPMessages

/// Writes the body of a problem with the request's id: as JSON, or as a page if a browser opens the address.
///
/// The last step, so that the previous ones see the problem itself.
package final class ProblemDocument: ResponseStep {
  private let basePath: String

  /// Creates the step; each problem's `type` begins with `basePath`.
  package init(below basePath: String) {
    self.basePath = basePath
  }

  package func finish(_ response: inout HTTPResponse, to request: RequestContext) {
    guard response.status >= 400, case .problem(let problem) = response.body else { return }
    response.headers.addVary("Accept")
    let accept = Accept(request.headers.list("Accept"))
    let isNavigation = request.method == .get || request.method == .head
    guard request.hasPages, isNavigation, accept.prefersHTML(to: "application/problem+json"),
      accept.prefersHTML(to: "application/json")
    else {
      response.body = .bytes(problem.document(requestID: request.id, below: basePath))
      return
    }
    let page = ServicePage(
      title: problem.title,
      sentence: sentence(for: problem.status),
      details: """
        <h2>For developers</h2>
        <p>\(escaped(problem.detail))</p>
        <p><a href="\(escaped(problem.type(below: basePath)))"><code>\(problem.status) \(escaped(problem.type))</code></a></p>
        <p><code>\(RequestID.header): \(request.id)</code></p>
        """
    )
    response.headers["Content-Type"] = "text/html; charset=utf-8"
    response.body = .bytes(page.html(below: basePath))
  }
}

/// Returns a sentence about a status for people who expected a page.
func sentence(for status: Int) -> String {
  switch status {
  case 403: "This is not allowed from here."
  case 404: "There is nothing at this address."
  case 405: "This address is not one to open."
  case 410: "What was here is over."
  case 421: "The service is not to be found under this name."
  case 429, 503, 507: "This is not possible just now. Try again in a moment."
  case 500...: "Something went wrong here, and not by your fault."
  default: "The service does not understand what was asked of it."
  }
}
