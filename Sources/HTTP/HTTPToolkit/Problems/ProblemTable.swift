package import FusionHTTPMessages

/// The table of every problem that a service answers with, joined at its start from the rows of its parts.
package struct ProblemTable: Sendable {
  /// The rows, sorted by name.
  package let kinds: [ProblemKind]
  private let byName: [String: ProblemKind]

  package init(_ problems: [Problem]) {
    kinds = problems.map(\.kind).sorted { $0.name < $1.name }
    byName = Dictionary(kinds.map { ($0.name, $0) }) { first, _ in first }
  }

  package subscript(name: String) -> ProblemKind? { byName[name] }
}

/// The page of a kind of problem, found at the `type` of each such problem.
extension ProblemKind {
  /// Returns the page as HTML where the client prefers that, as browsers do, else as plain text.
  package func page(for request: HTTPRequest) -> HTTPResponse {
    let accept = Accept(request.headers.list("Accept"))
    let isHTML = accept.quality(of: "text/html") > accept.quality(of: "text/plain")
    return HTTPResponse(
      200,
      headers: [
        "Vary": "Accept",
        "Content-Type": (isHTML ? "text/html" : "text/plain") + "; charset=utf-8",
      ],
      body: .bytes(Array((isHTML ? html : text).utf8))
    )
  }

  private var statusText: String { statuses.map(String.init).joined(separator: " or ") }

  private var text: String {
    """
    \(title)
    \(statusText) \(type)

    What it means: \(meaning)

    What to do: \(advice)

    """
  }

  private var html: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(escaped(title))</title>
    </head>
    <body>
      <h1>\(escaped(title))</h1>
      <p><code>\(statusText) \(type)</code></p>
      <h2>What it means</h2>
      <p>\(escaped(meaning))</p>
      <h2>What to do</h2>
      <p>\(escaped(advice))</p>
    </body>
    </html>

    """
  }
}

private func escaped(_ text: String) -> String {
  text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
}

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
