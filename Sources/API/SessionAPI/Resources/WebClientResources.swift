import FusionHTTPMessages
import FusionStrictJSON
import FusionWebClient

extension Route {
  /// The route `/uifusion.js`.
  static let webClient = Route(
    "/uifusion.js",
    Endpoint(
      .get,
      Operation(
        id: "getClient",
        tag: "Service",
        summary: "The client for browsers, an ES module",
        description: "What a page needs to show State and send Inputs, with a script or without.",
        responses: [
          "200": OpenAPI.answer("The module.", ["type": "string"], type: "text/javascript")
        ]
      )
    ) { api, _, request, respond throws(Problem) in
      respond(try api.ownFile(request, or: module))
    }
  )

  /// The route `/uifusion.d.ts`.
  static let webClientTypes = Route(
    "/uifusion.d.ts",
    Endpoint(
      .get,
      Operation(
        id: "getClientTypes",
        tag: "Service",
        summary: "The client's types, for TypeScript and editors",
        responses: [
          "200": OpenAPI.answer("Declarations.", ["type": "string"], type: "text/plain")
        ]
      )
    ) { api, _, request, respond throws(Problem) in
      respond(try api.ownFile(request, or: declarations))
    }
  )
}

extension SessionAPI {
  /// A file of that name in the front end's folder wins, whenever it comes.
  fileprivate func ownFile(
    _ request: HTTPRequest,
    or included: StaticFile
  ) throws(Problem) -> HTTPResponse {
    try (files.current(request.target.path) ?? included).response(to: request)
  }
}

private let module = StaticFile(contentType: .javaScript, WebClient.module)
private let declarations = StaticFile(contentType: .declarations, WebClient.declarations)
