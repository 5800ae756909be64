import FusionHTTPMessages
import FusionMetrics
import FusionStrictJSON

extension Route {
  /// The route `/metrics`.
  static let metrics = Route(
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
}
