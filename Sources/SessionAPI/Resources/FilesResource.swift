import FusionHTTPMessages
import FusionStrictJSON

extension Route {
  /// `/` and the rest: the front end's files.
  static let files = Route(
    "/*",
    exists: { api, target in api.files[target.path] != nil },
    Endpoint(
      .get,
      Operation(
        id: "getFrontEnd",
        tag: "Service",
        summary: "The front end",
        responses: ["200": OpenAPI.answer("A page.", ["type": "string"], type: "text/html")]
      )
    ) { api, _, request, respond throws(Problem) in
      respond(try api.file(request))
    }
  )
}

extension SessionAPI {
  func file(_ request: HTTPRequest) throws(Problem) -> HTTPResponse {
    guard let file = files.current(request.target.path) else { throw .notFound }
    return try file.response(to: request)
  }
}
