import FusionHTTPMessages

/// A resource: its path, and for each method what it does and how OpenAPI describes it.
///
/// `HEAD` works wherever `GET` does and `OPTIONS` everywhere (RFC 9110 §9.3.2, §9.3.7); neither is
/// written down. Each resource has a file of its own in `Resources`. A class, so that to find one copies
/// nothing.
final class Route: Sendable {
  let pattern: PathPattern
  let endpoints: [Endpoint]
  /// As ``allow`` has them.
  let methods: [HTTPMethod]
  /// The value of `Allow` (RFC 9110 §10.2.1).
  let allow: String
  /// Whether there is anything at a path that fits; if not, no method works.
  let exists: @Sendable (SessionAPI, RequestTarget) -> Bool

  convenience init(
    _ path: String,
    exists: @escaping @Sendable (SessionAPI, RequestTarget) -> Bool = { _, _ in true },
    _ endpoints: Endpoint...
  ) {
    self.init(PathPattern(path), endpoints, methods: Set(endpoints.map(\.method)), exists)
  }

  /// The service as a whole, which has nothing but `OPTIONS`: what its resources have between them.
  convenience init(asteriskFor routes: [Route]) {
    self.init(PathPattern("*"), [], methods: Set(routes.flatMap(\.methods))) { _, _ in true }
  }

  private init(
    _ pattern: PathPattern,
    _ endpoints: [Endpoint],
    methods: Set<HTTPMethod>,
    _ exists: @escaping @Sendable (SessionAPI, RequestTarget) -> Bool
  ) {
    self.pattern = pattern
    self.endpoints = endpoints
    self.exists = exists
    let all = methods.union(methods.contains(.get) ? [.head, .options] : [.options])
    self.methods = HTTPMethod.allCases.filter(all.contains)
    allow = self.methods.map(\.rawValue).joined(separator: ", ")
  }

  /// What answers a method; nil where nothing does.
  func endpoint(for method: HTTPMethod) -> Endpoint? {
    let method = method == .head ? .get : method
    return endpoints.first { $0.method == method }
  }
}
