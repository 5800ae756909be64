import FusionHTTPMessages
import FusionStrictJSON

extension Route {
  /// The route `/connection`.
  static let connection = Route(
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

  /// What it answers with, for OpenAPI.
  static let connectionSchema: JSONTree =
    OpenAPI.object([
      "protocol": ["type": "string", "enum": ["HTTP/1.0", "HTTP/1.1"]],
      "scheme": ["type": "string", "enum": ["http", "https"]],
      "host": ["type": ["string", "null"]],
      "basePath": ["type": "string"],
      "forwarded": ["type": "string", "enum": ["none", "believed", "ignored"]],
      "client": [
        "type": ["string", "null"], "description": "Its address, where that was forwarded.",
      ],
      "heartbeat": ["type": "number", "description": "In seconds, the silence of a stream."],
    ])
}

extension SessionAPI {
  fileprivate func connection(of request: HTTPRequest) -> HTTPResponse {
    let connection = request.connection
    let isTold = ForwardedHeaders.areNamed(in: request.headers)
    let answer = Connection(
      protocol: connection.isHTTP11 ? "HTTP/1.1" : "HTTP/1.0",
      scheme: connection.scheme,
      host: request.headers["Host"],
      basePath: basePath.text,
      forwarded: connection.isForwarded ? "believed" : isTold ? "ignored" : "none",
      // Else it is that of a proxy, which is nobody's business.
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
