import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessionAPI

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

// Each method twice: for an answer of any kind, and for a value, which is sent as JSON, or as text if it is a String.
extension Routes {
  /// Adds a route for `GET`.
  public mutating func get(
    _ path: String,
    _ description: RouteDescription? = nil,
    _ answer: @escaping RouteHandler
  ) {
    add(.get, path, description, .whole, answer)
  }

  /// Adds a route for `GET` that answers with a value.
  public mutating func get(
    _ path: String,
    _ description: RouteDescription? = nil,
    _ answer: @escaping @Sendable (Request) async throws -> some Encodable & Sendable
  ) {
    add(.get, path, description, .whole) { try Response(value: await answer($0)) }
  }

  /// Adds a route for `POST`.
  public mutating func post(
    _ path: String,
    _ description: RouteDescription? = nil,
    body: RequestBody = .whole,
    _ answer: @escaping RouteHandler
  ) {
    add(.post, path, description, body, answer)
  }

  /// Adds a route for `POST` that answers with a value.
  public mutating func post(
    _ path: String,
    _ description: RouteDescription? = nil,
    body: RequestBody = .whole,
    _ answer: @escaping @Sendable (Request) async throws -> some Encodable & Sendable
  ) {
    add(.post, path, description, body) { try Response(value: await answer($0)) }
  }

  /// Adds a route for `PUT`.
  public mutating func put(
    _ path: String,
    _ description: RouteDescription? = nil,
    body: RequestBody = .whole,
    _ answer: @escaping RouteHandler
  ) {
    add(.put, path, description, body, answer)
  }

  /// Adds a route for `PUT` that answers with a value.
  public mutating func put(
    _ path: String,
    _ description: RouteDescription? = nil,
    body: RequestBody = .whole,
    _ answer: @escaping @Sendable (Request) async throws -> some Encodable & Sendable
  ) {
    add(.put, path, description, body) { try Response(value: await answer($0)) }
  }

  /// Adds a route for `PATCH`.
  public mutating func patch(
    _ path: String,
    _ description: RouteDescription? = nil,
    body: RequestBody = .whole,
    _ answer: @escaping RouteHandler
  ) {
    add(.patch, path, description, body, answer)
  }

  /// Adds a route for `PATCH` that answers with a value.
  public mutating func patch(
    _ path: String,
    _ description: RouteDescription? = nil,
    body: RequestBody = .whole,
    _ answer: @escaping @Sendable (Request) async throws -> some Encodable & Sendable
  ) {
    add(.patch, path, description, body) { try Response(value: await answer($0)) }
  }

  /// Adds a route for `DELETE`.
  public mutating func delete(
    _ path: String,
    _ description: RouteDescription? = nil,
    _ answer: @escaping RouteHandler
  ) {
    add(.delete, path, description, .whole, answer)
  }

  /// Adds a route for `DELETE` that answers with a value.
  public mutating func delete(
    _ path: String,
    _ description: RouteDescription? = nil,
    _ answer: @escaping @Sendable (Request) async throws -> some Encodable & Sendable
  ) {
    add(.delete, path, description, .whole) { try Response(value: await answer($0)) }
  }
}

extension Response {
  /// Makes the answer that is a value.
  fileprivate init(value: some Encodable) throws {
    if let text = value as? String {
      self.init(text: text)
    } else {
      try self.init(json: value)
    }
  }
}

extension Routes {
  /// Returns the routes as the service takes them.
  ///
  /// - Throws: an error for a path that is malformed, or belongs to another route or a file of the front end, and for a
  ///   described type of a streamed body.
  func served(
    beside files: FileIndex,
    by answerer: RouteAnswerer
  ) throws(ServiceError) -> [ProgramRoute] {
    var served: [ProgramRoute] = []
    var operations = ProgramRoute.contractedOperations
    for route in all {
      let pattern = try route.pattern(beside: served)
      if let other = ProgramRoute.contractedPattern(overlapping: pattern) {
        throw route.error("is a path of the service's own (\(other)): choose another path")
      }
      if files["/" + pattern.text.dropFirst()] != nil {
        throw route.error("is a file of the front end: rename the file, or choose another path")
      }
      if served.contains(where: { $0.pattern.text == pattern.text && $0.method == route.method }) {
        throw route.error("is added twice: leave one of them out")
      }
      if route.body.limit != nil, route.description?.body != nil {
        throw route.error("streams its body, which is of no type: describe it without a body")
      }
      served.append(route.served(at: pattern, by: answerer, besides: &operations))
    }
    return served
  }

  /// The middleware around all requests; nil where there is none.
  func wrapper(by answerer: RouteAnswerer) -> RequestWrapper? {
    guard !outer.isEmpty else { return nil }
    return { [outer] request, path, sessions, next, respond in
      let handler = outer.around {
        let response = await awaitResponse(to: $0.http, from: next) { respond.whenClientLeaves($0) }
        return Response(response)
      }
      // The client's leaving cancels the program's own route within, not what the service does.
      answerer.answer(Request(request, path, sessions), handler, respond)
    }
  }
}

extension Routes.Route {
  /// Returns the pattern of the path.
  fileprivate func pattern(beside others: [ProgramRoute]) throws(ServiceError) -> PathPattern {
    guard path.wholeMatch(of: /(\/([^\/{}*?#%]+|\{[A-Za-z0-9_]+\}))+/) != nil else {
      throw error("is not a path such as /orders/{id}")
    }
    let pattern = PathPattern(path)
    guard Set(pattern.parameters).count == pattern.parameters.count else {
      throw error("has two parameters of one name: rename one of them")
    }
    // One pattern for all methods of a path.
    if let same = others.first(where: { $0.pattern.text == path }) { return same.pattern }
    let rival = others.first {
      $0.pattern.overlaps(pattern) && !$0.pattern.precedes(pattern) && !pattern.precedes($0.pattern)
    }
    if let rival {
      throw error("matches the same paths as \(rival.pattern.text): write both in the same way")
    }
    return pattern
  }

  fileprivate func error(_ reason: String) -> ServiceError {
    ServiceError("the route \(method.rawValue) \(path) \(reason)")
  }

  fileprivate func served(
    at pattern: PathPattern,
    by answerer: RouteAnswerer,
    besides operations: inout Set<String>
  ) -> ProgramRoute {
    let operation = description?.operation(
      method.rawValue,
      at: pattern,
      taking: body,
      besides: operations
    )
    if let operation { operations.insert(operation.id) }
    return ProgramRoute(method, pattern, operation, bodyLimit: body.limit) {
      [handler] sessions, path, request, respond in
      let task = answerer.answer(Request(request, path, sessions), handler, respond)
      // In a task, as it runs code of the program: all connections are watched from one queue.
      respond.whenClientLeaves { Task { task.cancel() } }
    }
  }
}
