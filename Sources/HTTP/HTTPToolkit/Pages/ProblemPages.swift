package import FusionHTTPMessages

/// The list of all problems, and a page for each kind at the address in its `type`.
///
/// HTML for clients that prefer it, such as browsers; otherwise plain text.
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

  /// Returns the page of a kind; nil if no problem has that name.
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
