package import FusionHTTPMessages
package import FusionHTTPToolkit

/// A route that the program adds to the service's own.
package struct ProgramRoute: Sendable {
  /// Answers once, before or after it returns; `sessions` accepts requests for sessions, like ``SessionAPI``
  /// for programs.
  package typealias Handler =
    @Sendable (
      _ sessions: @escaping HTTPHandler, PathParameters, HTTPRequest, PendingResponse
    ) -> Void

  package let method: HTTPMethod
  package let pattern: PathPattern
  let operation: Operation?
  /// The maximum number of bytes of a body that the handler reads as it arrives; nil if it needs the whole
  /// body.
  let bodyLimit: Int?
  let handler: Handler

  package init(
    _ method: HTTPMethod,
    _ pattern: PathPattern,
    _ operation: Operation?,
    bodyLimit: Int? = nil,
    _ handler: @escaping Handler
  ) {
    self.method = method
    self.pattern = pattern
    self.operation = operation
    self.bodyLimit = bodyLimit
    self.handler = handler
  }

  /// The ids of the service's own operations.
  package static var contractedOperations: Set<String> {
    let routes = SessionRoutes.all.routes + SessionRoutes.inspection
    return Set(routes.flatMap(\.endpoints).compactMap { $0.operation?.id })
  }

  /// Returns the pattern of the service's route that overlaps `pattern`, since some path matches both; nil if
  /// there is none.
  package static func contractedPattern(overlapping pattern: PathPattern) -> String? {
    (SessionRoutes.all.routes + SessionRoutes.inspection).map(\.pattern).first {
      !$0.isCatchAll && $0.overlaps(pattern)
    }?.text
  }
}

/// A function that wraps the handling of all requests that passed the checks.
///
/// `next` answers like the service; `path` is nil if no route matches.
package typealias RequestWrapper =
  @Sendable (
    _ request: HTTPRequest,
    _ path: PathParameters?,
    _ sessions: @escaping HTTPHandler,
    _ next: @escaping HTTPHandler,
    _ respond: PendingResponse
  ) -> Void

extension SessionRoutes {
  /// Returns all resources together with the program's own, those with literal segments first.
  static func all(
    with own: [ProgramRoute],
    inspection: [SessionRoute] = []
  ) -> Router<SessionResources> {
    guard !own.isEmpty || !inspection.isEmpty else { return all }
    let patterns = Dictionary(grouping: own, by: \.pattern.text)
      .sorted { $0.key < $1.key }
      .map { (pattern: $0.value[0].pattern, routes: $0.value) }
      .sorted { $0.pattern.precedes($1.pattern) }
    let added = patterns.map { pattern, routes in
      SessionRoute(pattern, routes.map(\.endpoint))
    }
    return Router(all.routes + inspection + added)
  }
}

extension ProgramRoute {
  fileprivate var endpoint: Endpoint<SessionResources> {
    var limits: (@Sendable (HTTPRequest) -> IncomingBody.Limits?)?
    if let bodyLimit { limits = { _ in IncomingBody.Limits(bytes: bodyLimit) } }
    return Endpoint(method, operation, requiring: .anySender, bodyLimits: limits) {
      [handler] resources, path, request, respond in
      handler(resources.answerProgram, path, request, respond)
    }
  }
}

extension SessionResources {
  /// Answers a request by the route that it matches.
  func answer(
    _ request: HTTPRequest,
    _ match: RouteMatch<SessionResources>?,
    _ respond: PendingResponse
  ) throws(Problem) {
    guard let match else { throw .notFound }
    guard let endpoint = try match.route.endpoint(for: request, in: self, respond) else { return }
    try answer(request, at: match.path, with: endpoint, respond)
  }

  /// Answers a request for a session from the program itself, without checking, counting or logging it.
  ///
  /// Otherwise the rules for clients' requests apply.
  func answerProgram(_ request: HTTPRequest, _ responder: any HTTPResponder) {
    let match = SessionRoutes.program.match(request.target)
    let respond = PendingResponse(to: request, at: match?.path, through: .none, responder)
    respond.answer { () throws(Problem) in try answer(request, match, respond) }
  }
}
