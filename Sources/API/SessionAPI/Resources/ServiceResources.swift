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
  /// The problem that prevents the service from being ready.
  fileprivate var readinessProblem: Problem? {
    switch readiness.phase {
    case .ready: host.health.isReachable ? nil : .storeUnreachable
    case .starting: .starting
    case .leaving, .draining: .draining
    }
  }
}

extension SessionRoutes {
  /// The route `/connection`.
  static let connection = SessionRoute(
    "/connection",
    Endpoint(
      .get,
      Operation(
        id: "getConnection",
        tag: "Service",
        summary: "How this request arrived",
        description: """
          What the service takes the client's address bar to say, through the proxies in between. `forwarded` \
          is about what they tell of the client: `none` if nothing, else `believed`, or `ignored` where \
          --trusted-proxy does not name the one that is connected.
          """,
        responses: ["200": OpenAPI.answer("It.", OpenAPI.schema("Connection"))]
      )
    ) { api, _, request, respond in
      respond(api.connection(of: request))
    }
  )
}

extension SessionResources {
  /// Returns a description of how a request arrived.
  fileprivate func connection(of request: HTTPRequest) -> HTTPResponse {
    let connection = request.connection
    let isTold = ForwardedHeaders.areNamed(in: request.headers)
    let answer = Connection(
      protocol: connection.isHTTP11 ? "HTTP/1.1" : "HTTP/1.0",
      scheme: connection.scheme,
      host: request.headers["Host"],
      basePath: basePath.text,
      forwarded: connection.isForwarded ? "believed" : isTold ? "ignored" : "none",
      // Otherwise the address may be a proxy's, which is not shown.
      client: connection.isClientForwarded ? connection.client?.description : nil,
      heartbeat: heartbeat / .seconds(1)
    )
    return HTTPResponse(
      200,
      json: (try? StrictJSON.encode(answer)) ?? [],
      headers: ["Cache-Control": "no-store"]
    )
  }

  private struct Connection: Encodable {
    let `protocol`: String
    let scheme: String
    let host: String?
    let basePath: String
    let forwarded: String
    let client: String?
    let heartbeat: Double
  }
}

extension SessionRoutes {
  /// The route `/problems/{name}`, which the `type` of a problem names.
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
        responses: ["200": page],
        problems: [404]
      )
    ) { api, path, request, respond throws(Problem) in
      let name = path["name"] ?? ""
      if let file = ServicePage.files[name] { return respond(try file.response(to: request)) }
      let page = ProblemTable.ofService.page(of: name, for: request, below: api.basePath)
      guard let page else { throw .notFound }
      respond(page)
    }
  )

  /// The route `/problems`.
  static let problems = SessionRoute(
    "/problems",
    Endpoint(
      .get,
      Operation(
        id: "listProblems",
        tag: "Service",
        summary: "All types of problems",
        responses: ["200": page]
      )
    ) { api, _, request, respond in
      respond(ProblemTable.ofService.index(for: request, below: api.basePath))
    }
  )

  private static let page = OpenAPI.answer(
    "A page.",
    [("text/plain", ["type": "string"]), ("text/html", ["type": "string"])],
    headers: ["Vary"]
  )
}
