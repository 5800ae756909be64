import FusionHTTPMessages
import FusionSessions
import FusionStrictJSON

extension Route {
  /// The route `/healthz`.
  static let health = Route(
    "/healthz",
    Endpoint(
      .get,
      Operation(
        id: "getHealth",
        tag: "Service",
        summary: "Whether the process works",
        responses: ["200": OpenAPI.answer("It does.", status)]
      )
    ) { _, _, _, respond in
      respond(
        HTTPResponse(
          200,
          json: Array(#"{"status":"ok"}"#.utf8),
          headers: ["Cache-Control": "no-store"]
        )
      )
    }
  )

  /// The route `/readyz`.
  static let readiness = Route(
    "/readyz",
    Endpoint(
      .get,
      Operation(
        id: "getReadiness",
        tag: "Service",
        summary: "Whether the service is ready",
        responses: [
          "200": OpenAPI.answer("It is.", status),
          "503": OpenAPI.problem("503"),
        ]
      )
    ) { api, _, _, respond throws(Problem) in
      if let problem = api.obstacle { throw problem.with("Cache-Control", "no-store") }
      respond(
        HTTPResponse(
          200,
          json: Array(#"{"status":"ready"}"#.utf8),
          headers: ["Cache-Control": "no-store"]
        )
      )
    }
  )

  private static let status = OpenAPI.object(["status": ["type": "string"]])
}

extension SessionAPI {
  /// What keeps the service from being ready.
  fileprivate var obstacle: Problem? {
    switch readiness.phase {
    case .ready: host.isStoreReachable ? nil : .storeUnreachable
    case .starting: .starting
    case .leaving, .draining: .draining
    }
  }
}
