import FusionHTTPMessages
import FusionHTTPToolkit
import FusionMetrics
import FusionSessions
import FusionStrictJSON

extension SessionRoutes {
  /// The route `/healthz`.
  static let health = SessionRoute(
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
      respond(answer(status: "ok"))
    }
  )

  /// The route `/readyz`.
  static let readiness = SessionRoute(
    "/readyz",
    Endpoint(
      .get,
      Operation(
        id: "getReadiness",
        tag: "Service",
        summary: "Whether the service is ready",
        responses: [
          "200": OpenAPI.answer("It is.", status)
        ],
        problems: [503]
      )
    ) { api, _, _, respond throws(Problem) in
      if let problem = api.readinessProblem { throw problem.with("Cache-Control", "no-store") }
      respond(answer(status: "ready"))
    }
  )

  /// The route `/metrics`.
  static let metrics = SessionRoute(
    "/metrics",
    Endpoint(
      .get,
      Operation(
        id: "getMetrics",
        tag: "Service",
        summary: "Figures for Prometheus",
        responses: [
          "200": OpenAPI.answer("Prometheus's text format.", ["type": "string"], type: "text/plain")
        ]
      )
    ) { api, _, _, respond in
      respond(
        HTTPResponse(
          200,
          headers: ["Content-Type": Metrics.contentType, "Cache-Control": "no-store"],
          body: .bytes(api.metrics.text)
        )
      )
    }
  )

  private static func answer(status: String) -> HTTPResponse {
    HTTPResponse(
      200,
      json: Array(#"{"status":"\#(status)"}"#.utf8),
      headers: ["Cache-Control": "no-store"]
    )
  }

  private static let status = OpenAPI.object(["status": ["type": "string"]])
}

extension SessionResources {
  /// The problem that keeps the service from being ready.
  fileprivate var readinessProblem: Problem? {
    switch readiness.phase {
    case .ready: host.isStoreReachable ? nil : .storeUnreachable
    case .starting: .starting
    case .leaving, .draining: .draining
    }
  }
}
