package import FusionHTTPMessages

/// A resource: the pattern of its path, and an endpoint for each method.
///
/// `HEAD` works wherever `GET` does, and `OPTIONS` everywhere (RFC 9110 §9.3.2, §9.3.7); neither is written down.
/// A class, so that finding one copies nothing.
package final class Route<Context: RoutingContext>: Sendable {
  package let pattern: PathPattern
  package let endpoints: [Endpoint<Context>]
  /// The methods in the order in which ``allow`` lists them.
  package let methods: [HTTPMethod]
  /// The value of `Allow` (RFC 9110 §10.2.1).
  package let allow: String
  private let exists: @Sendable (Context, RequestTarget) -> Bool

  /// Creates a route.
  ///
  /// - Parameter exists: whether there is anything at a path that matches; where not, every method gets 404.
  package convenience init(
    _ path: String,
    exists: @escaping @Sendable (Context, RequestTarget) -> Bool = { _, _ in true },
    _ endpoints: Endpoint<Context>...
  ) {
    self.init(PathPattern(path), endpoints, methods: Set(endpoints.map(\.method)), exists)
  }

  /// Creates the route of `*`, the service as a whole, which has the methods of all its routes.
  convenience init(asteriskFor routes: [Route]) {
    self.init(PathPattern("*"), [], methods: Set(routes.flatMap(\.methods))) { _, _ in true }
  }

  private init(
    _ pattern: PathPattern,
    _ endpoints: [Endpoint<Context>],
    methods: Set<HTTPMethod>,
    _ exists: @escaping @Sendable (Context, RequestTarget) -> Bool
  ) {
    self.pattern = pattern
    self.endpoints = endpoints
    self.exists = exists
    let all = methods.union(methods.contains(.get) ? [.head, .options] : [.options])
    self.methods = HTTPMethod.allCases.filter(all.contains)
    allow = self.methods.map(\.rawValue).joined(separator: ", ")
  }

  /// Returns the endpoint for a request; nil for `OPTIONS`, which is answered here.
  ///
  /// - Throws: 404 where nothing is at the path, 405 where the resource does not have the method.
  package func endpoint(
    for request: HTTPRequest,
    in context: Context,
    _ respond: PendingResponse
  ) throws(Problem) -> Endpoint<Context>? {
    guard exists(context, request.target) else { throw .notFound }
    if request.method == .options {
      respond(HTTPResponse(204, headers: ["Allow": allow]))
      return nil
    }
    let method = request.method == .head ? .get : request.method
    for endpoint in endpoints where endpoint.method == method { return endpoint }
    throw .methodNotAllowed.filled(with: allow).with("Allow", allow)
  }
}
