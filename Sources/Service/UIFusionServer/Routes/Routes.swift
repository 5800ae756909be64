import FusionHTTPMessages

/// Routes of a program's own, beside those of the service, and middleware around both.
///
/// ```swift
/// var routes = Routes()
/// routes.get("/hello/{name}") { request in
///   "Hello, \(try request.parameter("name"))"
/// }
/// await UIFusionCommand.main(catalog, routes: routes)
/// ```
///
/// A name in braces stands for any one part of the path. Of two routes that match a path, the one with the literal part
/// answers. `HEAD` works wherever `GET` does. A ``HTTPError`` that is thrown is the answer; any other error is logged
/// and answered with 500.
public struct Routes: Sendable {
  struct Route: Sendable {
    let method: HTTPMethod
    let path: String
    let description: RouteDescription?
    let body: RequestBody
    let handler: RouteHandler
  }

  private(set) var all: [Route] = []
  /// The types whose schemas are in `/openapi.json`.
  var types: [any Decodable.Type] { all.compactMap(\.description).flatMap(\.types) }
  /// The middleware around all requests, those of the service's own routes included.
  private(set) var outer: [Middleware] = []
  /// The function that finds out who sends a request; nil where there is none.
  private(set) var authenticate: Authenticate?
  /// The path and the middleware of the group; nil outside of groups.
  private var enclosing: (path: String, middleware: [Middleware])?

  /// Makes no routes.
  public init() {}

  /// Adds middleware around every request that passes the checks of `Host`, `Origin` and the like, the service's own
  /// routes and files included; within a group, around the routes that are added to it afterwards.
  public mutating func add(middleware: @escaping Middleware) {
    if enclosing == nil {
      outer.append(middleware)
    } else {
      enclosing?.middleware.append(middleware)
    }
  }

  /// Sets the function that identifies a request's sender if no token, cookie or proxy's header does.
  ///
  /// It is called before the middleware, for each such request for a session or a route. From then on only senders with an
  /// identity may have sessions, unless `--anonymous on`.
  public mutating func authenticate(_ identify: @escaping Authenticate) {
    authenticate = identify
  }

  /// Adds routes below a path, with middleware around them.
  public mutating func group(
    _ path: String = "",
    middleware: [Middleware] = [],
    routes add: (inout Routes) throws -> Void
  ) rethrows {
    var group = Routes()
    group.enclosing = (
      (enclosing?.path ?? "") + path, (enclosing?.middleware ?? []) + middleware
    )
    try add(&group)
    all += group.all
  }

  mutating func add(
    _ method: HTTPMethod,
    _ path: String,
    _ description: RouteDescription?,
    _ body: RequestBody,
    _ handler: @escaping RouteHandler
  ) {
    all.append(
      Route(
        method: method,
        path: (enclosing?.path ?? "") + path,
        description: description,
        body: body,
        handler: (enclosing?.middleware ?? []).around(handler)
      )
    )
  }
}
