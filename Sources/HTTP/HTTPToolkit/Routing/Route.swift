package import FusionHTTPMessages
package import FusionStrictJSON

/// A resource: the pattern of its path, and an endpoint for each method.
///
/// `HEAD` works wherever `GET` does, and `OPTIONS` everywhere (RFC 9110 §9.3.2, §9.3.7); neither is declared.
/// A class, so that a lookup copies nothing.
package final class Route<Context: RoutingContext>: Sendable {
  package let pattern: PathPattern
  package let endpoints: [Endpoint<Context>]
  /// The methods in the order in which ``allow`` lists them.
  package let methods: [HTTPMethod]
  /// The value of `Allow` (RFC 9110 §10.2.1).
  package let allow: String
  private let exists: @Sendable (Context, RequestTarget) -> Bool

  /// Creates a route; if `exists` is false for a matching path, every method gets 404.
  package convenience init(
    _ path: String,
    exists: @escaping @Sendable (Context, RequestTarget) -> Bool = { _, _ in true },
    _ endpoints: Endpoint<Context>...
  ) {
    self.init(PathPattern(path), endpoints, methods: Set(endpoints.map(\.method)), exists)
  }

  /// Creates a route that exists at every matching path.
  package convenience init(_ pattern: PathPattern, _ endpoints: [Endpoint<Context>]) {
    self.init(pattern, endpoints, methods: Set(endpoints.map(\.method))) { _, _ in true }
  }

  /// Creates the route of `*`, the service as a whole, with the methods of all its routes.
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

  /// Returns the endpoint for a request; nil for `OPTIONS`, which the route itself answers.
  ///
  /// - Throws: 404 if nothing exists at the path, 405 if the resource does not support the method.
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
    if let endpoint = endpoint(for: request.method) { return endpoint }
    throw .methodNotAllowed.filled(with: allow).with("Allow", allow)
  }

  /// Returns the endpoint for a method, for `HEAD` that of `GET`; nil if the resource does not support it.
  package func endpoint(for method: HTTPMethod) -> Endpoint<Context>? {
    let method = method == .head ? .get : method
    // A loop: a closure in a generic class takes a fiftieth of a request's time.
    for endpoint in endpoints where endpoint.method == method { return endpoint }
    return nil
  }
}

/// The values that a router's handlers use, such as the service that answers.
package protocol RoutingContext: Sendable {
  /// The condition for calling an endpoint's handler; `Void` if no endpoint has one.
  associatedtype Requirement: Sendable = Void
}

/// A method of a resource: its handler, and its description for OpenAPI.
///
/// A class, so that a lookup copies nothing.
package final class Endpoint<Context: RoutingContext>: Sendable {
  package let method: HTTPMethod
  /// The description; nil if OpenAPI omits the endpoint.
  package let operation: Operation?
  package let requirement: Context.Requirement
  /// Returns the limits of a request's body that the handler reads as it arrives, and nil for a body that it needs as a
  /// whole; nil if it reads none as it arrives.
  package let bodyLimits: (@Sendable (HTTPRequest) -> IncomingBody.Limits?)?
  package let handler: Handler

  /// Answers once, before or after it returns, or throws the problem to answer with.
  package typealias Handler =
    @Sendable (Context, PathParameters, HTTPRequest, PendingResponse) throws(Problem) -> Void

  package init(
    _ method: HTTPMethod,
    _ operation: Operation?,
    requiring requirement: Context.Requirement,
    bodyLimits: (@Sendable (HTTPRequest) -> IncomingBody.Limits?)? = nil,
    _ handler: @escaping Handler
  ) {
    self.method = method
    self.operation = operation
    self.requirement = requirement
    self.bodyLimits = bodyLimits
    self.handler = handler
  }
}

extension Endpoint where Context.Requirement == Void {
  /// Creates an endpoint without a requirement.
  package convenience init(
    _ method: HTTPMethod,
    _ operation: Operation,
    _ handler: @escaping Handler
  ) {
    self.init(method, operation, requiring: (), handler)
  }
}

extension Route {
  /// The resource's path item object for OpenAPI, including `HEAD` and `OPTIONS`, which routes do not
  /// declare.
  package var pathItem: JSONTree {
    var members: [JSONTree.Member] = []
    for endpoint in endpoints {
      guard let operation = endpoint.operation else { continue }
      members.append(.init(endpoint.method.rawValue.lowercased(), operation.json))
      if endpoint.method == .get { members.append(.init("head", operation.head)) }
    }
    if let first = operations.first { members.append(.init("options", first.options)) }
    return .object(members)
  }

  /// The descriptions of the endpoints that OpenAPI shows.
  fileprivate var operations: [Operation] { endpoints.compactMap(\.operation) }
}

extension Router {
  /// The paths object of all documented routes.
  package var paths: JSONTree {
    .object(
      routes.filter { !$0.operations.isEmpty }.map { .init($0.pattern.openAPIPath, $0.pathItem) }
    )
  }

  /// The schemas to which only these routes refer, for the components.
  package var schemas: [JSONTree.Member] { routes.flatMap(\.operations).flatMap(\.schemas) }
}
