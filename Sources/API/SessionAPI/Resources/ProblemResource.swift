import FusionHTTPMessages
import FusionStrictJSON

extension Route {
  /// The route `/problems/{name}`: where the `type` of a problem leads.
  static let problem = Route(
    "/problems/{name}",
    Endpoint(
      .get,
      Operation(
        id: "explainProblem",
        tag: "Service",
        summary: "What a type of problems means, and what to do",
        description: "As HTML where the client would rather have that, as browsers do.",
        parameters: [OpenAPI.parameter("ProblemPath")],
        responses: [
          "200": OpenAPI.answer(
            "Its page.",
            [("text/plain", ["type": "string"]), ("text/html", ["type": "string"])],
            headers: ["Vary"]
          ),
          "404": OpenAPI.problem("404"),
        ]
      )
    ) { _, path, request, respond throws(Problem) in
      guard let page = ProblemPage.named[try path.nameInPath()] else { throw .notFound }
      respond(page.response(to: request))
    }
  )
}

extension ProblemPage {
  /// In the form that the client would rather have.
  fileprivate func response(to request: HTTPRequest) -> HTTPResponse {
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
}
