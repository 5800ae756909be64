import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions
import FusionStrictJSON

extension SessionRoutes {
  /// The route `/view-models`.
  static let viewModels = SessionRoute(
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

  /// The route `/view-models/{name}`.
  static let viewModel = SessionRoute(
    "/view-models/{name}",
    Endpoint(
      .get,
      Operation(
        id: "describeViewModel",
        tag: "View models",
        summary: "What a view model takes, does and shows",
        description: """
          As Markdown, on Accept: text/markdown, one page for all who work on it; as HTML, to a browser, a \
          console that sends its Inputs and shows its State.
          """,
        parameters: ["ViewModelPath"],
        responses: [
          "200": OpenAPI.answer(
            "Its spec.",
            [
              ("application/json", OpenAPI.schema("ViewModel")),
              ("text/markdown", ["type": "string"]), ("text/html", ["type": "string"]),
            ],
            headers: ["Vary"]
          )
        ],
        problems: [404]
      ),
      requiring: .anySender
    ) { api, path, request, respond throws(Problem) in
      respond(try api.viewModel(named: path["name"] ?? "", request))
    }
  )

  /// The route `/openapi.json`.
  static let openAPI = SessionRoute(
    "/openapi.json",
    Endpoint(
      .get,
      Operation(
        id: "getOpenAPI",
        tag: "Service",
        summary: "This document",
        responses: ["200": OpenAPI.answer("OpenAPI 3.1.", ["type": "object"])]
      )
    ) { api, _, request, respond in
      let isForReading = Accept(request.headers.list("Accept")).prefersHTML(to: "application/json")
      let viewModels = api.host.viewModels.all
      let document = api.specs.document(
        of: viewModels,
        api.described,
        isIndented: isForReading
      )
      respond(
        HTTPResponse(
          200,
          headers: ["Content-Type": "application/json", "Vary": "Accept"],
          body: .shared(document)
        )
      )
    }
  )
}

extension SessionResources {
  /// Returns the list of the hosted view models.
  func viewModels() -> HTTPResponse {
    let list = host.viewModels.all.map { viewModel -> JSONTree in
      let page = "/\(viewModel.name).html"
      let entry: JSONTree = [
        "name": .string(viewModel.name), "summary": .string(viewModel.summary),
        "href": "\(basePath.text)/view-models/\(viewModel.name)",
      ]
      return files[page] == nil ? entry : entry.adding(["page": .string(basePath.text + page)])
    }
    let document: JSONTree = ["viewModels": .array(list)]
    return HTTPResponse(200, json: document.bytes, headers: ["Cache-Control": "no-store"])
  }

  /// Returns the spec of a view model, in the form that the client prefers.
  func viewModel(named name: String, _ request: HTTPRequest) throws(Problem) -> HTTPResponse {
    guard let viewModel = host.viewModels.named(name) else {
      if let file = consoleFiles[name] { return try file.response(to: request) }
      throw .unknownViewModel.adding("known", host.viewModels.all.map(\.name))
    }
    let spec = specs[viewModel]
    let denied = DeniedUses(to: request.sender, by: viewModel, spec)
    var response = description(of: spec, denied, request)
    if denied != nil { response.headers.keepPrivate() }
    return response
  }

  private func description(
    of spec: ViewModelSpec,
    _ denied: DeniedUses?,
    _ request: HTTPRequest
  ) -> HTTPResponse {
    let json = denied.map { spec.json.adding(["denied": $0.json]) } ?? spec.json
    let accept = Accept(request.headers.list("Accept"))
    if accept.prefersHTML(to: "application/json"), accept.prefersHTML(to: "text/markdown") {
      let page = "\(spec.name).html"
      let console = spec.console(
        json,
        page: files["/" + page].map { _ in page },
        travels: access.readsArchive,
        isWatched: host.isWatchable
      )
      return HTTPResponse(
        200,
        headers: ["Vary": "Accept", "Content-Type": "text/html; charset=utf-8"],
        body: .bytes(Array(console.utf8))
      )
    }
    guard accept.quality(of: "text/markdown") > accept.quality(of: "application/json") else {
      return HTTPResponse(200, json: json.bytes, headers: ["Vary": "Accept"])
    }
    return HTTPResponse(
      200,
      headers: ["Vary": "Accept", "Content-Type": "text/markdown; charset=utf-8"],
      body: .bytes(Array(spec.markdown(at: request.origin, below: basePath).utf8))
    )
  }
}

extension HTTPRequest {
  /// The origin by which the client reached the service, for lines to copy.
  fileprivate var origin: String {
    let host = headers["Host"].flatMap { HostAndPort($0) == nil ? nil : $0 }
    return connection.scheme + "://" + (host ?? "127.0.0.1:8080")
  }
}
