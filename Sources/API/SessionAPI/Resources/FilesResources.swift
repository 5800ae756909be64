import FusionHTTPMessages
package import FusionHTTPToolkit
import FusionSessions
import FusionStrictJSON
import FusionWebClient

extension SessionRoutes {
  /// The route of every other path: the front end's files.
  static let files = SessionRoute(
    "/*",
    exists: { api, target in
      let path = target.path
      return api.files[path] != nil || clientFiles[path] != nil || api.files.isFolder(path)
    },
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
      requiring: .shownSession
    ) { api, _, request, respond throws(Problem) in
      respond(try api.file(request))
    }
  )
}

extension SessionResources {
  /// Returns a file; the head of a page that uses the client gets the State that the page shows first.
  func file(_ request: HTTPRequest) throws(Problem) -> HTTPResponse {
    let path = request.target.path
    guard let file = files.current(path) ?? clientFiles[path] else {
      guard files.isFolder(path) else { throw .notFound }
      // A page's links are relative to the slash.
      let folder = RequestTarget(
        segments: request.target.segments + [""],
        query: request.target.query
      )
      return HTTPResponse(308, headers: ["Location": basePath.text + folder.text])
    }
    if let claim = shownSession(by: request), let page = page(file, showing: claim) {
      return page
    }
    // Whom a rule denies the first State is known only where they ask for a session.
    if let viewModel = viewModel(of: file, at: request.target), viewModel.accessRule == nil,
      let page = prerenderedPages.page(file, at: request.target.path, of: viewModel)
    {
      return try page.response(to: request)
    }
    return try file.response(to: request)
  }

  /// Returns a page with a session's State; nil if the session cannot be shown, which the client finds out
  /// itself.
  ///
  /// The page contains the session's id: no cache keeps it, and it is not compressed, since its size would
  /// reveal the id (BREACH).
  private func page(
    _ file: StaticFile,
    showing claim: Claim
  ) -> HTTPResponse? {
    guard let session = try? access.here(claim).session, (try? session.requireMemory()) != nil,
      let snapshot = EmbeddedSnapshot(of: session),
      let page = file.page(inserting: snapshot.element)
    else { return nil }
    return HTTPResponse(
      200,
      headers: ["Cache-Control": "no-store", "Content-Type": file.contentType.text],
      body: .bytes(page)
    )
  }

  /// Returns the view model that a page is named for, such as `/counter.html`, or else the first one that it
  /// shows.
  ///
  /// Returns nil if the page sets parameters for its session, whose first State may then be another one.
  private func viewModel(of file: StaticFile, at target: RequestTarget) -> HostedViewModel? {
    guard let head = file.head, head.attributes["data-parameters"] == nil else { return nil }
    let name = target.segments.count == 1 ? target.segments[0] : ""
    let namesake = name.hasSuffix(".html") ? host.viewModels.named(String(name.dropLast(5))) : nil
    return namesake ?? head.attributes["data-view-model"].flatMap(host.viewModels.named(_:))
  }
}

extension PageMarkup {
  /// The marks of pages that use the client for browsers.
  package static let client = PageMarkup(
    module: "uifusion.js",
    included: ["/uifusion.js": clientModule, gestures.path: gestures.module],
    attributes: ["data-view-model", "data-parameters"],
    more: ("uifusion-more.js?v=\(WebClient.build)", WebClient.marksOfMore)
  )
}

extension SessionRoutes {
  /// The route `/uifusion.js`.
  static let webClient = SessionRoute(
    "/uifusion.js",
    Endpoint(
      .get,
      Operation(
        id: "getClient",
        tag: "Service",
        summary: "The client for browsers, an ES module",
        description: "What a page needs to show State and send Inputs, with a script or without.",
        responses: [
          "200": OpenAPI.answer("The module.", ["type": "string"], type: "text/javascript")
        ]
      )
    ) { api, _, request, respond throws(Problem) in
      respond(try api.ownFile(request, or: clientModule))
    }
  )

  /// The route `/uifusion.d.ts`.
  static let webClientTypes = SessionRoute(
    "/uifusion.d.ts",
    Endpoint(
      .get,
      Operation(
        id: "getClientTypes",
        tag: "Service",
        summary: "The client's types, for TypeScript and editors",
        responses: [
          "200": OpenAPI.answer("Declarations.", ["type": "string"], type: "text/plain")
        ]
      )
    ) { api, _, request, respond throws(Problem) in
      respond(try api.ownFile(request, or: declarations))
    }
  )
}

extension SessionResources {
  /// Returns the file with that name in the front end's folder, or else the built-in one.
  fileprivate func ownFile(
    _ request: HTTPRequest,
    or included: StaticFile
  ) throws(Problem) -> HTTPResponse {
    try (files.current(request.target.path) ?? included).response(to: request)
  }
}

/// The parts of a view model's console, by their file names.
let consoleFiles = [
  "console.js": StaticFile(contentType: .javaScript, WebClient.consoleModule),
  "console.css": StaticFile(contentType: .css, WebClient.consoleStyle),
]

/// The files that accompany the client's module, by their paths.
private let clientFiles = [
  gestures.path: gestures.module,
  "/uifusion-more.js": StaticFile(
    contentType: .javaScript,
    WebClient.moreModule,
    digest: WebClient.build
  ),
  "/uifusion-login.js": StaticFile(
    contentType: .javaScript,
    WebClient.loginModule,
    digest: WebClient.build
  ),
]

private let gestures = (
  path: "/uifusion-gestures.js",
  module: StaticFile(contentType: .javaScript, WebClient.gesturesModule)
)
private let clientModule = StaticFile(contentType: .javaScript, WebClient.module)
private let declarations = StaticFile(contentType: .declarations, WebClient.declarations)
