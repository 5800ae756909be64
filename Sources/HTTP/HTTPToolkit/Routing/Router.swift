package import FusionHTTPMessages

/// A set of routes, and the search for the route of a request.
package struct Router<Context: RoutingContext>: Sendable {
  package let routes: [Route<Context>]
  private let table: PathTable
  private let asterisk: Route<Context>

  /// Creates a router; if two patterns match a path, the earlier one wins.
  package init(_ routes: [Route<Context>]) {
    self.routes = routes
    table = PathTable(routes.map(\.pattern))
    asterisk = Route(asteriskFor: routes)
  }

  /// Returns the route of a target with its path's parameters; nil if no pattern matches.
  package func match(_ target: RequestTarget) -> RouteMatch<Context>? {
    guard let route = target.isAsterisk ? asterisk : table.index(of: target).map({ routes[$0] })
    else {
      return nil
    }
    return RouteMatch(route: route, path: PathParameters(route.pattern, target))
  }
}

/// A route, with the parameters of a matching path.
package struct RouteMatch<Context: RoutingContext>: Sendable {
  package let route: Route<Context>
  package let path: PathParameters
}

/// Patterns by their number of segments, independent of the handlers and compiled once for all of them.
private struct PathTable: Sendable {
  private let byCount: [[(pattern: PathPattern, index: Int)]]
  private let catchAll: Int?

  init(_ patterns: [PathPattern]) {
    let proper = patterns.enumerated().filter { !$0.element.isCatchAll }
      .map { (pattern: $0.element, index: $0.offset) }
    let longest = proper.map(\.pattern.count).max() ?? 0
    byCount = (0...longest).map { count in proper.filter { $0.pattern.count == count } }
    catchAll = patterns.firstIndex(where: \.isCatchAll)
  }

  func index(of target: RequestTarget) -> Int? {
    let path = target.segments
    if path.count < byCount.count {
      for (pattern, index) in byCount[path.count] where pattern.matches(path) { return index }
    }
    return catchAll
  }
}
