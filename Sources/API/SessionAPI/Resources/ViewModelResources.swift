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
        description: "As HTML, to a browser, a page with links to each one's console and page.",
        responses: [
          "200": OpenAPI.answer(
            "All of them.",
            [
              ("application/json", OpenAPI.schema("ViewModelList")),
              ("text/html", ["type": "string"]),
            ],
            headers: ["Vary"]
          )
        ]
      )
    ) { api, _, request, respond in
      respond(api.viewModels(for: request))
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
  /// Returns the list of the hosted view models, in the form that the client prefers.
  func viewModels(for request: HTTPRequest) -> HTTPResponse {
    let isHTML = Accept(request.headers.list("Accept")).prefersHTML(to: "application/json")
    return HTTPResponse(
      200,
      headers: [
        "Content-Type": isHTML ? "text/html; charset=utf-8" : "application/json",
        "Cache-Control": "no-store", "Vary": "Accept",
      ],
      body: .bytes(isHTML ? viewModelPage : viewModelList)
    )
  }

  private var viewModelList: [UInt8] {
    let list = host.viewModels.all.map { viewModel -> JSONTree in
      let entry: JSONTree = [
        "name": .string(viewModel.name), "summary": .string(viewModel.summary),
        "href": "\(basePath.text)/view-models/\(viewModel.name)",
      ]
      guard let page = page(of: viewModel.name) else { return entry }
      return entry.adding(["page": .string(basePath.text + page)])
    }
    return (["viewModels": .array(list)] as JSONTree).bytes
  }

  private var viewModelPage: [UInt8] {
    let items = host.viewModels.all.map { viewModel in
      let name = escaped(viewModel.name)
      let page = page(of: viewModel.name).map { path in
        #" <a href="\#(basePath.text)\#(escaped(path))" aria-label="Open the page of \#(name)">Open page</a>"#
      }
      return """
        <li><strong>\(name)</strong> <span dir="auto">\(escaped(viewModel.summary))</span>
        <br><a href="\(basePath.text)/view-models/\(name)" aria-label="Open the console of \(name)">Open console</a>\(page ?? "")</li>
        """
    }
    return ServicePage(
      title: "View models",
      sentence:
        "Everything that this service runs. Open a page to use it, or a console to see what happens inside.",
      details: "<ul>\(items.joined(separator: "\n"))</ul>"
    ).html(below: basePath.text)
  }

  /// Returns the path of a view model's page, percent-encoded: that of its name, or else one that shows it first.
  private func page(of name: String) -> String? {
    let namesake = "/\(name).html"
    let path = files[namesake] == nil ? files.page(with: "data-view-model", name) : namesake
    return path.map { path in
      "/"
        + path.split(separator: "/").map { PercentEncoding.encoded(String($0)) }.joined(
          separator: "/"
        )
    }
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
      let console = spec.console(
        json,
        page: page(of: spec.name).map { String($0.dropFirst()) },
        isStored: access.readsArchive,
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
