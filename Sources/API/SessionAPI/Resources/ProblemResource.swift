import FusionHTTPMessages
import FusionHTTPToolkit
import FusionStrictJSON

extension SessionRoutes {
  /// The route `/problems/{name}`, to which the `type` of a problem leads.
  static let problem = SessionRoute(
    "/problems/{name}",
    Endpoint(
      .get,
      Operation(
        id: "explainProblem",
        tag: "Service",
        summary: "What a type of problems means, and what to do",
        description: "As HTML where the client would rather have that, as browsers do.",
        parameters: ["ProblemPath"],
        responses: [
          "200": OpenAPI.answer(
            "Its page.",
            [("text/plain", ["type": "string"]), ("text/html", ["type": "string"])],
            headers: ["Vary"]
          )
        ],
        problems: [404]
      )
    ) { _, path, request, respond throws(Problem) in
      guard let kind = path["name"].flatMap({ ProblemTable.ofService[$0] }) else { throw .notFound }
      respond(kind.page(for: request))
    }
  )
}
