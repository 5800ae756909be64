import FusionHTTPMessages
import FusionHTTPToolkit
import FusionStrictJSON
import FusionWebClient

extension SessionRoutes {
  /// The route `/uifusion.js`.
  static let webClient = SessionRoute(
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
  static let webClientTypes = SessionRoute(
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

extension SessionResources {
  /// Returns the file of that name in the front end's folder, or else the one that is included here.
  fileprivate func ownFile(
    _ request: HTTPRequest,
    or included: StaticFile
  ) throws(Problem) -> HTTPResponse {
    try (files.current(request.target.path) ?? included).response(to: request)
  }
}

private let module = StaticFile(contentType: .javaScript, WebClient.module)
private let declarations = StaticFile(contentType: .declarations, WebClient.declarations)
