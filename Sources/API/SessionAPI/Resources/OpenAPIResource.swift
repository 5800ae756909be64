import FusionHTTPMessages
import FusionSessions
import FusionStrictJSON

extension Route {
  /// The route `/openapi.json`.
  static let openAPI = Route(
    "/openapi.json",
    Endpoint(
      .get,
      Operation(
        id: "getOpenAPI",
        tag: "Service",
        summary: "This document",
        responses: ["200": OpenAPI.answer("OpenAPI 3.1.", ["type": "object"])]
      )
    ) { api, _, _, respond in
      respond(
        HTTPResponse(
          200,
          headers: ["Content-Type": "application/json"],
          body: .shared(api.specs.document(of: api.host.viewModels))
        )
      )
    }
  )
}
