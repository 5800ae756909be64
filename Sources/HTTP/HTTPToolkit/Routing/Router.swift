import FusionHTTPMessages

/// All routes, and which of them a request is for.
struct RouteTable: Sendable {
  /// Every resource of the service, in the order in which `/openapi.json` presents them.
  static let all = RouteTable([
    .viewModels, .viewModel, .problem, .openAPI,
    .sessions, .session, .inputs,
    .events, .sharedEvents,
    .health, .readiness, .metrics, .connection, .webClient, .webClientTypes, .files,
  ])

  /// What those ask for who look after the service, and nothing else.
  static let admin = RouteTable([.health, .readiness, .metrics])

  /// What nodes ask each other for: each in place of a client of its own, and what its streams need.
  static let nodes = RouteTable([.session, .inputs, .feed, .topics, .files, .health])

  let routes: [Route]
  /// By how many segments their paths have.
  private let routesByLength: [[Route]]
  private let rest: Route?
  private let asterisk: Route

  init(_ routes: [Route]) {
    self.routes = routes
    let proper = routes.filter { !$0.pattern.isRest }
    let longest = proper.map(\.pattern.count).max() ?? 0
    routesByLength = (0...longest).map { length in proper.filter { $0.pattern.count == length } }
    rest = routes.first { $0.pattern.isRest }
    asterisk = Route(asteriskFor: routes)
  }

  /// Nil where there is nothing at such a path.
  func match(_ target: RequestTarget) -> RouteMatch? {
    if target.isAsterisk { return RouteMatch(route: asterisk, parameter: .none) }
    if target.segments.count < routesByLength.count {
      for route in routesByLength[target.segments.count] {
        if let parameter = route.pattern.match(target.segments) {
          return RouteMatch(route: route, parameter: parameter)
        }
      }
    }
    return rest.map { RouteMatch(route: $0, parameter: .none) }
  }
}

/// A route, and what stands in the path for its parameter.
struct RouteMatch: Sendable {
  let route: Route
  let parameter: PathParameter
}
