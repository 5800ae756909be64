import FusionHTTPMessages
import FusionHTTPToolkit
import FusionStrictJSON

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
    let arrival = request.arrival
    let isTold = ForwardedHeaders.areNamed(in: request.headers)
    let answer = Connection(
      protocol: arrival.isHTTP11 ? "HTTP/1.1" : "HTTP/1.0",
      scheme: arrival.scheme,
      host: request.headers["Host"],
      basePath: basePath.text,
      forwarded: arrival.isForwarded ? "believed" : isTold ? "ignored" : "none",
      // Any other address is that of a proxy, which is not told.
      client: arrival.isClientForwarded ? arrival.client?.description : nil,
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
