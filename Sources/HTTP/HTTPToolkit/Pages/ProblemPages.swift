package import FusionHTTPMessages

/// The list of all problems, and a page for each kind of problem, found at the `type` of each such problem.
///
/// As HTML where the client prefers that, as browsers do, else as plain text.
extension ProblemTable {
  package func index(for request: HTTPRequest, below basePath: BasePath) -> HTTPResponse {
    let items = kinds.map {
      "<li><a href=\"\(basePath.text)\($0.type)\">\(escaped($0.title))</a> <code>\($0.statusText)</code></li>"
    }
    let page = ServicePage(
      title: "Problems",
      sentence: "Each answer that refuses something names one of these, and what to do about it.",
      details: "<ul>\(items.joined(separator: "\n"))</ul>"
    )
    let lines = kinds.map { "\($0.statusText) \($0.type): \($0.title)\n" }
    return page.response(to: request, below: basePath, orText: lines.joined())
  }

  /// Returns the page of a kind; nil where there is no problem of that name.
  package func page(
    of name: String,
    for request: HTTPRequest,
    below basePath: BasePath
  ) -> HTTPResponse? {
    guard let kind = self[name] else { return nil }
    let page = ServicePage(
      title: kind.title,
      sentence: sentence(for: kind.statuses[0]),
      details: """
        <p><code>\(kind.statusText) \(kind.type)</code></p>
        <h2>What it means</h2>
        <p>\(escaped(kind.meaning))</p>
        <h2>What to do</h2>
        <p>\(escaped(kind.advice))</p>
        """
    )
    let text = """
      \(kind.title)
      \(kind.statusText) \(kind.type)

      What it means: \(kind.meaning)

      What to do: \(kind.advice)

      """
    return page.response(to: request, below: basePath, orText: text)
  }
}

extension ProblemKind {
  fileprivate var statusText: String { statuses.map(String.init).joined(separator: " or ") }
}

extension ServicePage {
  fileprivate func response(
    to request: HTTPRequest,
    below basePath: BasePath,
    orText text: String
  ) -> HTTPResponse {
    let isHTML = Accept(request.headers.list("Accept")).prefersHTML(to: "text/plain")
    return HTTPResponse(
      200,
      headers: [
        "Vary": "Accept",
        "Content-Type": (isHTML ? "text/html" : "text/plain") + "; charset=utf-8",
      ],
      body: .bytes(isHTML ? html(below: basePath.text) : Array(text.utf8))
    )
  }
}

/// Returns the sentence for people who wanted no more than to see a page.
private func sentence(for status: Int) -> String {
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

/// Writes the body of a problem with the request's id in it: as JSON, or as a page where a browser opens an address.
///
/// The last of the steps, so that those before it see the problem itself.
package final class ProblemDocument: ResponseStep {
  private let basePath: String

  /// Creates the step; `basePath` is the text that the problem's `type` begins with.
  package init(below basePath: String) {
    self.basePath = basePath
  }

  package func finish(
    _ response: inout HTTPResponse,
    to request: RequestContext,
    after nanoseconds: Int
  ) {
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
