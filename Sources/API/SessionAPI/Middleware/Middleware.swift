import FusionHTTPMessages
import FusionMetrics

/// Looks at a request before anything is done for it.
protocol RequestCheck: Sendable {
  func check(_ request: HTTPRequest) throws(Problem)
}

/// Looks at an answer that leaves, and may add to it.
///
/// Called on whatever thread answers; must not block. A class, so that to call each copies nothing.
protocol AnswerStep: AnyObject, Sendable {
  /// Adds what it has to add; `nanoseconds` have passed since the request was complete.
  func finish(
    _ response: inout HTTPResponse,
    to request: RequestContext,
    after nanoseconds: Int
  )
}

/// What each request passes on its way in, and each answer on its way out: also those with which the
/// server rejects a request by itself.
///
/// Composed once, of what is configured and no more. Headers that are the same on every answer are
/// added by the server: ``headersOnEveryAnswer(_:isSecure:)``.
final class Middleware: Sendable {
  private let checks: [any RequestCheck]
  private let origins: OriginCheck
  private let steps: [any AnswerStep]
  private let crossOrigin: CrossOriginSharing?
  private let isLogging: Bool

  init(
    _ options: SessionAPI.Options,
    _ metrics: Metrics,
    _ refusals: RefusalMetrics
  ) {
    let access = options.access
    let crossOrigin =
      access.origins.isEmpty ? nil : CrossOriginSharing(origins: access.origins)
    self.crossOrigin = crossOrigin
    isLogging = options.log != nil
    origins = OriginCheck(origins: access.origins)
    checks = Self.checks(access.hosts, origins)
    var steps: [any AnswerStep] = [RequestMetrics(metrics), InputMetrics(metrics), refusals]
    if options.isTiming { steps.append(ServerTiming()) }
    if let log = options.log { steps.append(RequestLog(below: options.basePath, write: log)) }
    if let crossOrigin { steps.append(crossOrigin) }
    // The last one: those before it see which problem it is.
    self.steps = steps + [ProblemDocument(below: options.basePath)]
  }

  private init(_ other: Middleware, _ hosts: AllowedHosts) {
    origins = other.origins
    checks = Self.checks(hosts, other.origins)
    steps = other.steps
    crossOrigin = other.crossOrigin
    isLogging = other.isLogging
  }

  private init(answeringNodesBelow basePath: BasePath, _ other: Middleware) {
    origins = other.origins
    checks = []
    steps = [ProblemDocument(below: basePath)]
    crossOrigin = nil
    isLogging = false
  }

  private static func checks(_ hosts: AllowedHosts, _ origins: OriginCheck) -> [any RequestCheck] {
    (hosts.areAll ? [] : [hosts]) + [origins]
  }

  /// The same for a server that is reached by other hosts.
  func answering(_ hosts: AllowedHosts) -> Middleware {
    Middleware(self, hosts)
  }

  /// The same for requests that pass, and whose answers pass, the middleware of another node.
  func withoutChecks(below basePath: BasePath) -> Middleware {
    Middleware(answeringNodesBelow: basePath, self)
  }

  /// Refuses a request whatever it asks for.
  func check(_ request: HTTPRequest) throws(Problem) {
    for check in checks { try check.check(request) }
  }

  /// What the steps are to know of a request.
  func context(of request: HTTPRequest, on match: RouteMatch?) -> RequestContext {
    RequestContext(
      id: request.id,
      method: request.method,
      route: match?.route,
      session: match?.parameter.session,
      client: request.connection.client,
      trace: isLogging ? request.headers.traceID : nil,
      origin: crossOrigin?.origin(of: request.headers)
    )
  }

  /// The answer to a request that the server rejects.
  func answer(to rejected: RejectedRequest, from client: IPAddress?) -> HTTPResponse {
    var response = rejected.problem.response
    let context = RequestContext(
      id: rejected.id,
      method: rejected.method,
      route: nil,
      session: nil,
      client: client,
      trace: isLogging ? rejected.headers.traceID : nil,
      origin: crossOrigin?.origin(of: rejected.headers)
    )
    finish(&response, to: context)
    return response
  }

  /// Takes an answer through all steps.
  func finish(_ response: inout HTTPResponse, to request: RequestContext) {
    let nanoseconds = request.stopwatch.nanoseconds
    for step in steps { step.finish(&response, to: request, after: nanoseconds) }
  }
}
