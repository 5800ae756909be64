/// A function around the answers to requests: it may refuse a request, change it, and change its answer.
///
/// ```swift
/// routes.add { request, next in
///   var response = try await next(request)
///   response.headers["X-Served-By"] = "a"
///   return response
/// }
/// ```
public typealias Middleware =
  @Sendable (_ request: Request, _ next: RouteHandler) async throws -> Response

/// A function that answers a request; that of a route is cancelled where its client leaves before.
public typealias RouteHandler = @Sendable (_ request: Request) async throws -> Response

extension [Middleware] {
  /// Returns a handler with these around it, the first outermost.
  func around(_ handler: @escaping RouteHandler) -> RouteHandler {
    reversed().reduce(handler) { next, middleware in { try await middleware($0, next) } }
  }
}
