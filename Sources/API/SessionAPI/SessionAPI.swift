package import FusionHTTPMessages
import FusionKeyedDigest
package import FusionMetrics
package import FusionSessions

/// The HTTP interface: turns requests into what sessions do, and what they show into answers.
///
/// Knows no socket. ``handle(_:_:)`` may be called from any thread, never blocks, and answers
/// during the call or later.
package struct SessionAPI: Sendable {
  package struct Options: Sendable {
    /// How many streams may be open.
    package var streams = 10_000
    package var access = Access()
    /// What one client may have.
    package var clients = ClientLimits()
    /// The path below which clients find it.
    package var basePath = BasePath.root
    /// How long a stream may be silent, for those who ask.
    package var heartbeat = Duration.seconds(15)
    /// Whether answers say how long they took.
    package var isTiming = false
    /// The way to other nodes, where several share the store.
    package var forwarding: (any RequestForwarding)?
    /// The way of topics to other nodes.
    package var topics: NodeTopics?
    /// Takes a record of each request; nil where they are not logged.
    package var log: (@Sendable (RequestRecord) -> Void)?

    package init() {}
  }

  let host: SessionHost
  let files: FileIndex
  let streams: Streams
  let specs: ViewModelSpecs
  let firstPages: FirstPages
  /// Of bodies that come with a key.
  let bodyDigest: KeyedDigest
  package let readiness: Readiness
  let metrics: Metrics
  let basePath: BasePath
  let heartbeat: Duration
  let clientSessions: ClientQuota
  let clientStreams: ClientQuota
  let inputRates: InputRates?
  let forwarding: (any RequestForwarding)?
  let forwardingMetrics: ForwardingMetrics
  let topics: NodeTopics?
  /// Where several nodes share the store.
  let relays: SessionFeedProxies?
  private var proxies: TrustedProxies
  private var middleware: Middleware
  private var routes = RouteTable.all

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
    let refusals = RefusalMetrics(metrics)
    streams = Streams(
      limit: options.streams,
      host.memory,
      StreamMetrics(metrics, refusals)
    )
    basePath = options.basePath
    heartbeat = options.heartbeat
    proxies = options.access.proxies
    let clients = options.clients
    clientSessions = ClientQuota(limit: clients.sessions, usual: ClientLimits.usualSessions)
    clientStreams = ClientQuota(limit: clients.streams, usual: ClientLimits.usualStreams)
    inputRates = clients.inputsPerSecond.map(InputRates.init)
    forwarding = options.forwarding
    topics = options.topics
    relays = options.forwarding.map { SessionFeedProxies(host, $0, readiness) }
    specs = ViewModelSpecs(host.dependencies, below: basePath)
    firstPages = FirstPages(host.dependencies)
    bodyDigest = KeyedDigest(secret: host.secret)
    self.metrics = metrics
    middleware = Middleware(options, metrics, refusals)
    metrics.gauge("uifusion_streams", "Streams that are open.") { [streams] in
      Double(streams.count)
    }
    forwardingMetrics = ForwardingMetrics(metrics, relays)
    metrics.gauge("uifusion_streams_limit", "Streams that may be open.") { [streams] in
      Double(streams.currentLimit)
    }
    metrics.gauge("uifusion_ready", "1 while the service is ready, else 0.") { [weak host] in
      readiness.phase == .ready && host?.isStoreReachable == true ? 1 : 0
    }
  }

  /// Sends a heartbeat on each stream that has been silent for ``ticksPerHeartbeat`` calls.
  package func tick() {
    streams.beat()
  }

  /// Looks after what is between this node and others; called once a second.
  package func watchNodes() {
    topics?.look(for: host)
    guard let relays else { return }
    relays.watchNodes()
    // What is followed by other nodes, while this one may not answer for it.
    streams.endFeeds { host.isAsleep($0) }
    // Longer than it takes another node to take over.
    relays.endLost(for: max(heartbeat, .seconds(10)))
  }

  /// How often ``tick()`` is to be called while a stream may be silent.
  package static let ticksPerHeartbeat = Streams.ticksPerHeartbeat

  /// The service begins to stop: no new sessions, and requests that wait by preference are answered
  /// with what is current.
  package func drain() {
    readiness.phase = .draining
    host.timeouts.end()
  }

  /// How many streams are open.
  package var openStreams: Int { streams.count }

  /// Lowers the limit of streams to what connections there are: some are left to requests.
  ///
  /// Returns the limit that holds.
  package func fitStreams(intoConnections connections: Int) -> Int {
    streams.lowerLimit(to: max(1, connections - max(1, connections / 8)))
  }

  /// The same for those who look after the service: health and metrics are all that there is.
  ///
  /// It has a port of its own, and so hosts of its own.
  package func admin(_ hosts: AllowedHosts) -> SessionAPI {
    var admin = self
    admin.middleware = middleware.answering(hosts)
    admin.routes = .admin
    return admin
  }

  /// The same for other nodes, which pass requests on that they have checked.
  package func forNodes() -> SessionAPI {
    var nodes = self
    nodes.middleware = middleware.withoutChecks(below: basePath)
    nodes.proxies = TrustedProxies()
    nodes.routes = .nodes
    return nodes
  }

  /// Answers a request, exactly once.
  package func handle(_ request: HTTPRequest, _ responder: any HTTPResponder) {
    let isBasePath = basePath.isTarget(request.target)
    let request = asClientSent(request)
    let match = routes.match(request.target)
    let respond = PendingAnswer(to: request, on: match, through: middleware, responder)
    do throws(Problem) {
      try middleware.check(request)
      if isBasePath, [.get, .head].contains(request.method) {
        return respond(
          HTTPResponse(308, headers: ["Location": basePath.home(request.target.query)])
        )
      }
      try route(request, match, respond)
    } catch {
      respond(error.response)
    }
  }

  /// The request without what proxies have made of it on the way.
  private func asClientSent(_ request: HTTPRequest) -> HTTPRequest {
    if proxies.areNone, basePath.isRoot { return request }
    var request = proxies.seenThrough(request)
    request.target = basePath.target(of: request.target)
    return request
  }

  /// Makes the answer to a request that the server rejects by itself.
  package func answer(to rejected: RejectedRequest) -> HTTPResponse {
    // As a request: what of its target was read does not matter.
    var request = HTTPRequest(rejected.method ?? .get, .asterisk, headers: rejected.headers)
    request.connection = rejected.connection
    return middleware.answer(to: rejected, from: proxies.seenThrough(request).connection.client)
  }

  /// Answers a request that has passed the middleware already.
  func handleAgain(
    _ request: HTTPRequest,
    respond: PendingAnswer,
    _ journey: ForwardingRetry? = nil
  ) {
    let request = leftOver(of: request, on: journey)
    do throws(Problem) {
      try route(request, routes.match(request.target), respond, journey)
    } catch {
      respond(error.response)
    }
  }

  private func route(
    _ request: HTTPRequest,
    _ match: RouteMatch?,
    _ respond: PendingAnswer,
    _ journey: ForwardingRetry? = nil
  ) throws(Problem) {
    guard let match, match.route.exists(self, request.target) else { throw .notFound }
    if request.method == .options {
      return respond(HTTPResponse(204, headers: ["Allow": match.route.allow]))
    }
    guard let endpoint = match.route.endpoint(for: request.method) else {
      throw .methodNotAllowed(allow: match.route.allow)
    }
    let sleeping = endpoint.sleeping(of: request, match.parameter, in: self)
    guard sleeping.isEmpty else {
      forgetLocations(of: sleeping, for: request)
      return host.wake(sleeping) { failure in
        // A page is shown without State where another node has that: its files are this node's.
        if case .elsewhere(let node)? = failure, endpoint.awakening != .shownSession {
          return forward(request, for: sleeping[0], to: node, journey ?? ForwardingRetry(), respond)
          {
            journey,
            respond in
            handleAgain(request, respond: respond, journey)
          }
        }
        do throws(Problem) {
          if let failure, isAskedInVain(request, failure) { throw .otherNode }
          if let failure { return respond(try endpoint.refusal(self, request, failure)) }
          try endpoint.handler(self, match.parameter, request, respond)
        } catch {
          respond(error.response)
        }
      }
    }
    try endpoint.handler(self, match.parameter, request, respond)
  }

  /// A node that passes a request on has it from the store that this one has the session: what is remembered
  /// here of another place is older.
  func forgetLocations(of ids: [SessionID], for request: HTTPRequest) {
    guard request.isFromNode else { return }
    for id in ids { host.forgetLocation(of: id) }
  }

  /// Whether a node asks this one, which has no lease to answer for its sessions, or has let go of one that it
  /// cannot read: that one can ask the store whose they are, and have them itself.
  func isAskedInVain(_ request: HTTPRequest, _ failure: WakeFailure) -> Bool {
    guard request.isFromNode else { return false }
    return switch failure {
    case .unreadableHere, .store(.damaged): true
    default: !host.isLeaseHeld
    }
  }

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
