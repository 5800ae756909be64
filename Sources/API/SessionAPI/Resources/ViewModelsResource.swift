import FusionHTTPMessages
import FusionSessions
import FusionStrictJSON

extension Route {
  /// The route `/view-models`.
  static let viewModels = Route(
    "/view-models",
    Endpoint(
      .get,
      Operation(
        id: "listViewModels",
        tag: "View models",
        summary: "What is hosted",
        responses: ["200": OpenAPI.answer("All of them.", OpenAPI.schema("ViewModelList"))]
      )
    ) { api, _, _, respond in
      respond(api.viewModels())
    }
  )
}

extension SessionAPI {
  func viewModels() -> HTTPResponse {
    let list = ViewModelList(
      viewModels: host.viewModels.map {
        ViewModelList.Entry(
          name: $0.name,
          summary: $0.summary,
          href: "\(basePath.text)/view-models/\($0.name)"
        )
      }
    )
    return HTTPResponse(
      200,
      json: (try? StrictJSON.encode(list)) ?? [],
      headers: ["Cache-Control": "no-store"]
    )
  }
}

private struct ViewModelList: Encodable {
  let viewModels: [Entry]

  struct Entry: Encodable {
    let name: String
    let summary: String
    let href: String
  }
}
