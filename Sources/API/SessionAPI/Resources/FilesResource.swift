import FusionHTTPMessages
import FusionSessions
import FusionStrictJSON

extension Route {
  /// `/` and the rest: the front end's files.
  static let files = Route(
    "/*",
    exists: { api, target in api.files[target.path] != nil },
    Endpoint(
      .get,
      Operation(
        id: "getFrontEnd",
        tag: "Service",
        summary: "The front end",
        description: """
          A page that uses /uifusion.js has State in its head: that of the session that ?session= names, or \
          what a new session begins with of the view model that /{name}.html is called as, or else that the \
          page shows first.
          """,
        responses: ["200": OpenAPI.answer("A page.", ["type": "string"], type: "text/html")]
      ),
      awakening: .shownSession,
      // Without the session, it is a page all the same.
      refusal: { api, request, _ throws(Problem) in try api.file(request) }
    ) { api, _, request, respond throws(Problem) in
      respond(try api.file(request))
    }
  )
}

extension SessionAPI {
  func file(_ request: HTTPRequest) throws(Problem) -> HTTPResponse {
    guard let file = files.current(request.target.path) else { throw .notFound }
    if let id = shownSession(by: request.target), let page = page(file, showing: id) { return page }
    if let viewModel = viewModel(of: file, at: request.target),
      let page = firstPages.page(file, at: request.target.path, of: viewModel)
    {
      return try page.response(to: request)
    }
    return try file.response(to: request)
  }

  /// The session that a page is to show first: `?session=…`.
  func shownSession(by target: RequestTarget) -> SessionID? {
    guard let id = target.first("session"), files[target.path]?.head != nil else { return nil }
    return SessionID(id)
  }

  /// Nil where there is no such session, or it cannot be shown: by then the client can tell why.
  ///
  /// Whoever sees the answer may use the session, so nobody keeps it; nor is it compressed, as its size would
  /// tell of the id (BREACH).
  private func page(_ file: StaticFile, showing id: SessionID) -> HTTPResponse? {
    guard case .live(let session) = host.find(id), (try? session.requireMemory()) != nil,
      let snapshot = EmbeddedSnapshot(of: session), let page = file.page(with: snapshot)
    else { return nil }
    return HTTPResponse(
      200,
      headers: ["Cache-Control": "no-store", "Content-Type": file.contentType.text],
      body: .bytes(page)
    )
  }

  /// The view model that a page is called as, `/counter.html`, or else that it shows first.
  ///
  /// Nil where it says what a session is made with: what a session begins with that is made without may be
  /// something else.
  private func viewModel(of file: StaticFile, at target: RequestTarget) -> HostedViewModel? {
    guard let head = file.head, !head.givesParameters else { return nil }
    let name = target.segments.count == 1 ? target.segments[0] : ""
    let namesake = name.hasSuffix(".html") ? host.viewModel(named: String(name.dropLast(5))) : nil
    return namesake ?? head.viewModel.flatMap(host.viewModel(named:))
  }
}
