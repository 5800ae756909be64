import FusionHTTPMessages
package import FusionHTTPToolkit

extension SessionRoutes {
  /// All resources of the service, in the order in which `/openapi.json` presents them.
  static let all: Router<SessionResources> = Router([
    viewModels, viewModel, problems, problem, openAPI,
    sessions, session, inputs, shares, share,
    events, sharedEvents,
    health, readiness, metrics, connection, webClient, webClientTypes, files,
  ])

  /// The resources on the administrators' port.
  static let admin = Router<SessionResources>([health, readiness, metrics])

  /// Returns the resources for requests that other nodes forward for their clients.
  static func nodes(isWatchable: Bool) -> Router<SessionResources> {
    Router([session, inputs, shares, share, files, health] + (isWatchable ? [trace] : []))
  }

  /// The resources for the program's own requests.
  static let program = Router<SessionResources>([programSessions, session, inputs, events])
}

extension BasePath {
  /// Returns nil unless the text is a path such as `/app` or `/tools/app/`, and not a route of the service.
  package init?(_ text: String) {
    self.init(text) { target in SessionRoutes.all.match(target)?.route !== SessionRoutes.files }
  }
}
