package import HTTPMessages
package import Metrics
package import Sessions

/// The HTTP interface: turns requests into what sessions do, and what they show into answers.
///
/// Knows no socket. ``handle(_:respond:)`` may be called from any thread, never blocks, and mostly
/// has answered when it returns.
package struct SessionAPI: Sendable {
  package struct Options: Sendable {
    /// How many streams may be open.
    package var streams = 10_000
    package var access = Access()

    package init() {}
  }

  let host: SessionHost
  let files: FileIndex
  let streams: Streams
  let specs: ViewModelSpecs
  package let access: Access
  package let readiness: Readiness
  private let metrics: Metrics
  private let inputs: InputMetrics

  package init(
    _ host: SessionHost,
    files: FileIndex,
    readiness: Readiness = Readiness(),
    options: Options = Options(),
    metrics: Metrics = Metrics()
  ) {
    self.host = host
    self.files = files
    self.readiness = readiness
    streams = Streams(limit: options.streams)
    specs = ViewModelSpecs(host.dependencies)
    access = options.access
    self.metrics = metrics
    inputs = InputMetrics(metrics)
    metrics.gauge("uifusion_streams", "Streams that are open.") { [streams] in
      Double(streams.count)
    }
  }

  /// Sends a heartbeat on each stream that has been silent for ``ticksPerHeartbeat`` calls.
  package func tick() {
    streams.beat()
  }

  /// How often ``tick()`` is to be called while a stream may be silent.
  package static let ticksPerHeartbeat = Streams.ticksPerHeartbeat

  /// The service begins to stop: no new sessions, and whoever waits by preference is answered with what
  /// is current.
  package func drain() {
    readiness.phase = .draining
    host.timeouts.end()
  }

  /// How many streams are open.
  package var openStreams: Int { streams.count }

  /// Answers a request, exactly once.
  package func handle(
    _ request: HTTPRequest,
    respond: @escaping @Sendable (HTTPResponse) -> Void
  ) {
    guard !access.origins.isEmpty else { return admit(request, respond: respond) }
    admit(request) { [access] response in
      var response = response
      access.share(&response, with: request.headers)
      respond(response)
    }
  }

  private func admit(
    _ request: HTTPRequest,
    respond: @escaping @Sendable (HTTPResponse) -> Void
  ) {
    if let problem = access.refusal(of: request) {
      respond(problem.response)
    } else {
      dispatch(request, respond: respond)
    }
  }

  private func dispatch(
    _ request: HTTPRequest,
    respond: @escaping @Sendable (HTTPResponse) -> Void
  ) {
    let route = Route(request.target)
    if route == .file, files[request.target.path] == nil {
      respond(Problem.notFound.response)
      return
    }
    guard route.methods.contains(request.method) else {
      respond(Problem.methodNotAllowed(route.methods).response)
      return
    }
    if request.method == .options {
      respond(options(request, methods: route.methods))
      return
    }
    // What is to end need not be woken before.
    let isEnding = request.method == .delete
    let sleeping = isEnding ? [] : host.sleeping(among: route.sessions(of: request))
    guard sleeping.isEmpty else {
      host.wake(sleeping) { failure in
        if let failure {
          respond(Problem(failure).response)
        } else {
          perform(request, route, respond)
        }
      }
      return
    }
    perform(request, route, respond)
  }

  /// Does what a request asks for; the sessions that it is about are awake.
  private func perform(
    _ request: HTTPRequest,
    _ route: Route,
    _ respond: @escaping @Sendable (HTTPResponse) -> Void
  ) {
    do throws(Problem) {
      switch route {
      case .inputs(let id):
        let respond = inputs.observing(respond)
        do throws(Problem) {
          try takeInputs(request, for: id, respond: respond)
        } catch {
          respond(error.response)
        }
      case .sessions: try createSession(request, respond: respond)
      case .session(let id) where request.method == .delete: deleteSession(id, respond: respond)
      case .session(let id): try showSession(id, request, respond: respond)
      default:
        respond(try answer(request, at: route))
      }
    } catch {
      respond(error.response)
    }
  }

  /// The answers that need not wait for a session.
  private func answer(_ request: HTTPRequest, at route: Route) throws(Problem) -> HTTPResponse {
    switch route {
    case .viewModels: viewModels()
    case .viewModel(let name): try viewModel(named: name, request)
    case .openAPI: openAPI()
    case .events(let id): try followSession(id, request)
    case .eventsOfSeveral: try followSessions(request)
    case .health: HTTPResponse(200, json: Array(#"{"status":"ok"}"#.utf8))
    case .readiness: showReadiness()
    case .metrics: HTTPResponse(200, headers: Self.metricsHeaders, body: .bytes(metrics.text))
    case .file: try file(request)
    case .service: throw .notFound
    case .noSession, .sessions, .session, .inputs: throw .unknownSession
    }
  }

  /// What a resource allows (RFC 9110 §9.3.7), and what a page of another origin may do with it.
  private func options(_ request: HTTPRequest, methods: [HTTPMethod]) -> HTTPResponse {
    var headers = access.permission(for: request, methods: methods) ?? [:]
    headers.append("Allow", methods.map(\.rawValue).joined(separator: ", "))
    return HTTPResponse(204, headers: headers)
  }

  private func showReadiness() -> HTTPResponse {
    switch readiness.phase {
    case .ready where !host.isStoreReachable: Problem.storeUnreachable.response
    case .ready: HTTPResponse(200, json: Array(#"{"status":"ready"}"#.utf8))
    case .starting: Problem.starting.response
    case .leaving, .draining: Problem.draining.response
    }
  }

  private static let metricsHeaders: HTTPHeaders = [
    "Content-Type": Metrics.contentType, "Cache-Control": "no-store",
  ]

  /// The session of that id, if it lives.
  func session(_ id: SessionID) throws(Problem) -> Session {
    switch host.find(id) {
    case .live(let session): return session
    case .ended: throw .endedSession
    // It fell asleep again since it was woken: the store has failed it.
    case .asleep: throw .storeUnreachable
    case .unknown: throw .unknownSession
    }
  }
}
