package import FusionHTTPMessages
package import FusionHTTPToolkit
package import FusionMetrics
package import FusionSessions
package import UIFusionKit

/// The HTTP interface of sessions: takes requests, returns responses and streams.
///
/// Does not use sockets. ``handle(_:_:)`` may be called from any thread, never blocks, and answers before or
/// after it returns.
package struct SessionAPI: Sendable {
  private let host: SessionHost
  private var resources: SessionResources
  private var proxies: TrustedProxies
  private var middleware: Middleware
  private var router: Router<SessionResources>
  private var wrapper: RequestWrapper?
  private var authenticate: Authenticating?
  private let access: AccessPolicy
  private var startGate: StartGate?

  /// Creates the interface of a host's sessions; by default all of them are in this process, otherwise
  /// `locator` finds them.
  package init(
    _ host: SessionHost,
    locator: (any SessionLocator)? = nil,
    files: FileIndex,
    readiness: Readiness = Readiness(),
    options: Options = Options(),
    metrics: Metrics = Metrics()
  ) {
    self.host = host
    let refusals = RefusalMetrics(metrics, .ofService, flags: ["max-streams"])
    let streams = Streams(limit: options.streams, for: host, StreamMetrics(metrics, refusals))
    router = SessionRoutes.all(
      with: options.routes,
      inspection: options.inspector != nil
        ? SessionRoutes.inspection : host.watcher.isEnabled ? [SessionRoutes.trace] : []
    )
    wrapper = options.wrapper
    authenticate = options.authenticate
    resources = SessionResources(
      host,
      locator ?? LocalSessionLocator(host),
      files,
      streams,
      readiness,
      metrics,
      described: router,
      clients: options.clients,
      basePath: options.basePath,
      heartbeat: options.heartbeat,
      bodyLimit: options.bodyLimit,
      inspector: options.inspector,
      allowsAnonymous: options.allowsAnonymous,
      hasSenders: options.authenticate != nil
    )
    access = options.access
    startGate = options.startGate
    proxies = options.access.proxies
    middleware = Middleware(
      checks: access.checks(),
      steps: options.steps(metrics, refusals, router)
    )
    metrics.gauge("uifusion_streams", "Streams that are open.") { Double(streams.count) }
    metrics.gauge("uifusion_streams_limit", "Streams that may be open.") {
      Double(streams.currentLimit)
    }
    metrics.gauge("uifusion_ready", "1 while the service is ready, else 0.") { [weak host] in
      readiness.phase == .ready && host?.health.isReachable == true ? 1 : 0
    }
  }

  /// Returns the interface of the administrators' port, with its own hosts: only health and metrics.
  package func admin(_ hosts: AllowedHosts) -> SessionAPI {
    var admin = self
    admin.middleware = middleware.withoutPages(checks: access.checks(hosts: hosts))
    admin.router = SessionRoutes.admin
    admin.wrapper = nil
    admin.authenticate = nil
    return admin
  }

  /// Returns the interface for other nodes, which forward requests that they have checked and counted.
  package func forNodes() -> SessionAPI {
    var nodes = self
    nodes.resources = SessionResources(forNodes: resources)
    let document = ProblemDocument(below: resources.basePath.text)
    nodes.middleware = Middleware(checks: [], steps: [document], hasPages: false)
    nodes.proxies = TrustedProxies()
    nodes.router = SessionRoutes.nodes(isWatchable: host.watcher.isEnabled)
    nodes.wrapper = nil
    nodes.authenticate = nil
    // Another node's jobs may need the sessions here.
    nodes.startGate = nil
    return nodes
  }

  /// Answers a request, exactly once.
  package func handle(_ request: HTTPRequest, _ responder: any HTTPResponder) {
    let basePath = resources.basePath
    // The common case, in which the request is not copied.
    if proxies.areNone, basePath.isRoot { return handle(request, isBasePath: false, responder) }
    var sent = proxies.seenThrough(request)
    sent.target = basePath.target(of: request.target)
    handle(sent, isBasePath: basePath.isTarget(request.target), responder)
  }

  /// Answers a request as its client sent it, relative to the base path; `isBasePath` tells whether it was
  /// for that path itself.
  private func handle(_ request: HTTPRequest, isBasePath: Bool, _ responder: any HTTPResponder) {
    let match = router.match(request.target)
    let respond = PendingResponse(to: request, at: match?.path, through: middleware, responder)
    respond.answer { () throws(Problem) in
      try middleware.check(request)
      if isBasePath, [.get, .head].contains(request.method) {
        let home = resources.basePath.home(request.target.query)
        return respond(HTTPResponse(308, headers: ["Location": home]))
      }
      guard let startGate, !startGate.isOpen, resources.dependOnSender(request, match) else {
        return try authenticate(request, match, respond)
      }
      startGate.pass(request.body.count) { [self] problem in
        respond.answer { () throws(Problem) in
          if let problem { throw problem }
          try authenticate(request, match, respond)
        }
      }
    }
  }

  /// Answers a request once its sender is known, if the answer depends on that.
  private func authenticate(
    _ request: HTTPRequest,
    _ match: RouteMatch<SessionResources>?,
    _ respond: PendingResponse
  ) throws(Problem) {
    // A preflight has no credentials (Fetch Standard, CORS-preflight fetch).
    guard let authenticate, request.method != .options,
      wrapper != nil || resources.dependOnSender(request, match)
    else {
      return try answer(request, match, respond)
    }
    authenticate(request, answerProgram) { [self] sender in
      respond.answer { () throws(Problem) in
        var request = request
        request.sender = try resources.sender(sender, of: request, match)
        try resources.requireWantedSender(of: request, match)
        // A refusal, too, names the sender of the request.
        let respond = resources.pending(respond, to: &request, match)
        respond.answer { () throws(Problem) in try answer(request, match, respond) }
      }
    }
  }

  /// Answers a request that has passed the checks, wrapped in the program's middleware.
  private func answer(
    _ request: HTTPRequest,
    _ match: RouteMatch<SessionResources>?,
    _ respond: PendingResponse
  ) throws(Problem) {
    guard let wrapper else { return try resources.answer(request, match, respond) }
    let next: HTTPHandler = { [resources] request, responder in
      let respond = PendingResponse(to: request, at: match?.path, through: .none, responder)
      respond.answer { () throws(Problem) in try resources.answer(request, match, respond) }
    }
    wrapper(request, match?.path, answerProgram, next, respond)
  }

  /// Answers a request for a session from the program itself, like ``handle(_:_:)`` for a client: once the jobs at the
  /// start are done.
  package func answerProgram(_ request: HTTPRequest, _ responder: any HTTPResponder) {
    guard let startGate, !startGate.isOpen, !StartGate.isPassed else {
      return answerStartJob(request, responder)
    }
    startGate.passCall { [self] problem in
      if let problem { responder(problem.response) } else { answerStartJob(request, responder) }
    }
  }

  /// Answers a request for a session from a job at the start.
  package func answerStartJob(_ request: HTTPRequest, _ responder: any HTTPResponder) {
    resources.answerProgram(request, responder)
  }

  /// Returns the limits of a request's body that the handler reads as it arrives; nil for a body that it needs as a
  /// whole.
  package var streamedBody: @Sendable (HTTPRequest) -> IncomingBody.Limits? {
    let streaming = router.routes.flatMap(\.endpoints).filter { $0.bodyLimits != nil }
    // Without routes of the program, the type of most bodies saves looking for their route.
    let isNeverJSON = streaming.allSatisfy { $0.operation?.id == SessionRoutes.sendInputs }
    return { [router, basePath = resources.basePath] request in
      if isNeverJSON, request.headers["Content-Type"] == "application/json" { return nil }
      let route = router.match(basePath.target(of: request.target))?.route
      return route?.endpoint(for: request.method)?.bodyLimits?(request)
    }
  }

  private var messages: MessageDelivery {
    MessageDelivery(access: resources.access, host: resources.host)
  }

  /// Delivers a message to its receiver, on whichever node.
  package func deliver(_ envelope: Envelope) async -> Delivery { await messages.deliver(envelope) }

  /// Connects sessions, so that they send messages and follow others.
  package func connectSessions() {
    let following = SessionFollowing(access: resources.access, host: resources.host)
    host.connections.connect(
      { [messages] in await messages.deliver($0) },
      follow: { [following] in await following.follow($0, $1) }
    )
  }

  /// Returns the response to a request that the server itself rejects.
  package func answer(to rejected: RejectedRequest) -> HTTPResponse {
    // The target of a rejected request is irrelevant here.
    var request = HTTPRequest(rejected.method ?? .get, .asterisk, headers: rejected.headers)
    request.connection = rejected.connection
    let client = proxies.seenThrough(request).connection.client
    return middleware.response(to: rejected, from: client)
  }
}

extension SessionAPI {
  package var readiness: Readiness { resources.readiness }

  /// The number of open streams.
  package var openStreams: Int { resources.streams.count }

  /// The number of calls of ``tick()`` in the time for which a stream may be silent.
  package static let ticksPerHeartbeat = Streams.ticksPerHeartbeat

  /// Sends a heartbeat on each stream that was silent for ``ticksPerHeartbeat`` calls; ends the streams of
  /// ended shares and logins.
  package func tick() {
    resources.streams.sendHeartbeats()
    resources.access.endLostShares(of: resources.streams)
  }

  /// Begins to stop: refuses new sessions, and ends the waits of `Prefer: wait` with the current State.
  package func drain() {
    readiness.phase = .draining
    resources.host.timeouts.end()
  }

  /// Lowers the limit of streams so that some of the given number of connections are left for requests.
  ///
  /// Returns the new limit.
  package func fitStreams(intoConnections connections: Int) -> Int {
    resources.streams.lowerLimit(to: max(1, connections - max(1, connections / 8)))
  }
}

extension SessionAPI {
  package typealias Options = SessionAPIOptions
}

extension SessionAPIOptions {
  /// Returns the steps of every response, without those that are not configured.
  func steps(
    _ metrics: Metrics,
    _ refusals: RefusalMetrics,
    _ router: Router<SessionResources>
  ) -> [any ResponseStep] {
    var steps: [any ResponseStep] = [
      RequestMetrics(metrics, router), InputMetrics(metrics), refusals,
    ]
    let documents = ProblemDocument(below: basePath.text)
    if isTiming { steps.append(ServerTiming(readableBy: access.origins)) }
    if let log {
      let requestLog = RequestLog(
        documents,
        subject: { $0["id", as: SessionID.self]?.redacted ?? $0["id", as: ShareID.self]?.redacted },
        trace: { $0.traceContext?.traceID },
        write: log
      )
      steps.append(requestLog)
    }
    if !access.origins.isEmpty {
      let sharing = CrossOriginSharing(
        with: access.origins,
        accepting: [
          "Content-Type", "Prefer", "If-Match", "If-None-Match", "Idempotency-Key",
          "Last-Event-ID", "X-Request-Id", "traceparent",
        ] + (authenticate == nil ? [] : ["Authorization", "If-Sender"]),
        exposing: [
          "ETag", "Location", "Preference-Applied", "Idempotency-Replayed", "Retry-After",
          "Settled", "X-Request-Id",
        ] + (authenticate == nil ? [] : ["Sender"]),
        acceptsOthers: programReadsHeaders || wrapper != nil || !routes.isEmpty
      )
      steps.append(sharing)
    }
    return steps + [documents]
  }
}
