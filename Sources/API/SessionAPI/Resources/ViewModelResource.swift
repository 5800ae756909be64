import FusionHTTPMessages
import FusionSessions
import FusionStrictJSON

extension Route {
  /// The route `/view-models/{name}`.
  static let viewModel = Route(
    "/view-models/{name}",
    Endpoint(
      .get,
      Operation(
        id: "describeViewModel",
        tag: "View models",
        summary: "What a view model takes, does and shows",
        description: "As Markdown, on Accept: text/markdown, one page for all who work on it.",
        parameters: [OpenAPI.parameter("ViewModelPath")],
        responses: [
          "200": OpenAPI.answer(
            "Its spec.",
            [
              ("application/json", OpenAPI.schema("ViewModel")),
              ("text/markdown", ["type": "string"]),
            ],
            headers: ["Vary"]
          ),
          "404": OpenAPI.problem("404"),
        ]
      )
    ) { api, path, request, respond throws(Problem) in
      respond(try api.viewModel(named: path.nameInPath(), request))
    }
  )
}

extension SessionAPI {
  /// The spec, in the form that the client would rather have.
  func viewModel(named name: String, _ request: HTTPRequest) throws(Problem) -> HTTPResponse {
    guard let viewModel = host.viewModel(named: name) else {
      throw .unknownViewModel(404, known: host.viewModels.map(\.name))
    }
    let spec = specs[viewModel]
    let accept = Accept(request.headers.list("Accept"))
    guard accept.quality(of: "text/markdown") > accept.quality(of: "application/json") else {
      return HTTPResponse(200, json: spec.json.bytes, headers: ["Vary": "Accept"])
    }
    return HTTPResponse(
      200,
      headers: ["Vary": "Accept", "Content-Type": "text/markdown; charset=utf-8"],
      body: .bytes(Array(spec.markdown(at: request.origin, below: basePath).utf8))
    )
  }
}

extension HTTPRequest {
  /// Where the client has reached the service, for lines to copy; only what is surely an authority.
  fileprivate var origin: String {
    let host = headers["Host"] ?? ""
    let isPlain = !host.isEmpty && host.utf8.allSatisfy(isOfAuthority)
    return connection.scheme + "://" + (isPlain ? host : "127.0.0.1:8080")
  }
}

private func isOfAuthority(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: ":"),
    UInt8(ascii: "-"), UInt8(ascii: "["), UInt8(ascii: "]"):
    true
  default: false
  }
}
