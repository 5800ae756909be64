import FusionHTTPMessages
package import FusionHTTPToolkit

extension SessionRoutes {
  /// Every resource of the service, in the order in which `/openapi.json` presents them.
  static let all: Router<SessionResources> = Router([
    viewModels, viewModel, problems, problem, openAPI,
    sessions, session, inputs, shares, share,
    events, sharedEvents,
    health, readiness, metrics, connection, webClient, webClientTypes, files,
  ])

  /// The resources on the administrators' port.
  static let admin = Router<SessionResources>([health, readiness, metrics])

  /// Returns the resources that nodes ask each other for, each on behalf of a client.
  static func nodes(isInspected: Bool) -> Router<SessionResources> {
    Router([session, inputs, shares, share, files, health] + (isInspected ? [trace] : []))
  }

  /// The resources that the program itself asks for.
  static let program = Router<SessionResources>([programSessions, session, inputs])
}

extension BasePath {
  /// Returns nil unless the text is a path such as `/app` or `/tools/app/`, and no route of the service.
  package init?(_ text: String) {
    self.init(text) { target in SessionRoutes.all.match(target)?.route !== SessionRoutes.files }
  }
}
