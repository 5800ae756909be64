import FusionHTTPMessages
import FusionHTTPToolkit
import FusionKeyedDigest
import FusionMetrics
import FusionSessions

/// The dependencies of the session API's resources: the context of its routes.
///
/// Each resource extends this class with its endpoints' handlers.
final class SessionResources: RoutingContext {
  typealias Requirement = SessionRequirement

  let host: SessionHost
  let locator: any SessionLocator
  let files: FileIndex
  let streams: Streams
  let specs: ViewModelSpecs
  let prerenderedPages: PrerenderedPages
  /// The digest that identifies the body of a request with a key.
  let bodyDigest: KeyedDigest
  let readiness: Readiness
  let metrics: Metrics
  /// The routes that `/openapi.json` describes.
  let described: Router<SessionResources>
  let basePath: BasePath
  /// The time for which a stream may be silent.
  let heartbeat: Duration
  /// The reader of stored versions; nil if the inspector's routes are disabled.
  let inspector: SessionInspector?
  /// Whether anonymous senders may have sessions.
  let allowsAnonymous: Bool
  let clientSessions: ClientQuota
  let clientStreams: ClientQuota
  let inputRates: ClientRates?
  /// The share that the request names; nil if it names the session itself.
  let share: StoredShare?

  init(
    _ host: SessionHost,
    _ locator: any SessionLocator,
    _ files: FileIndex,
    _ streams: Streams,
    _ readiness: Readiness,
    _ metrics: Metrics,
    described: Router<SessionResources>,
    clients: ClientLimits,
    basePath: BasePath,
    heartbeat: Duration,
    inspector: SessionInspector?,
    allowsAnonymous: Bool,
    hasSenders: Bool
  ) {
    self.host = host
    self.locator = locator
    self.files = files
    self.streams = streams
    self.readiness = readiness
    self.metrics = metrics
    self.described = described
    self.basePath = basePath
    self.heartbeat = heartbeat
    self.inspector = inspector
    self.allowsAnonymous = allowsAnonymous
    clientSessions = ClientQuota(limit: clients.sessions, usual: ClientLimits.usualSessions)
    clientStreams = ClientQuota(limit: clients.streams, usual: ClientLimits.usualStreams)
    inputRates = clients.inputsPerSecond.map(ClientRates.init)
    share = nil
    specs = ViewModelSpecs(host.dependencies, below: basePath, hasSenders: hasSenders)
    prerenderedPages = PrerenderedPages(host.dependencies)
    bodyDigest = KeyedDigest(secret: host.secret)
  }

  /// Creates a copy for requests of other nodes: without a rate limit, and open to anonymous senders, since
  /// those nodes have counted the Inputs and authenticated the senders.
  convenience init(forNodes other: SessionResources) {
    self.init(other, allowsAnonymous: true, inputRates: nil, share: nil)
  }

  /// Creates a copy for the holder of a share.
  convenience init(_ other: SessionResources, by share: StoredShare) {
    self.init(
      other,
      allowsAnonymous: other.allowsAnonymous,
      inputRates: other.inputRates,
      share: share
    )
  }

  private init(
    _ other: SessionResources,
    allowsAnonymous: Bool,
    inputRates: ClientRates?,
    share: StoredShare?
  ) {
    host = other.host
    locator = other.locator
    files = other.files
    streams = other.streams
    specs = other.specs
    prerenderedPages = other.prerenderedPages
    bodyDigest = other.bodyDigest
    readiness = other.readiness
    metrics = other.metrics
    described = other.described
    basePath = other.basePath
    heartbeat = other.heartbeat
    inspector = other.inspector
    clientSessions = other.clientSessions
    clientStreams = other.clientStreams
    self.allowsAnonymous = allowsAnonymous
    self.inputRates = inputRates
    self.share = share
  }
}

/// The condition for calling an endpoint's handler, about the sender and the session.
enum SessionRequirement: Sendable {
  /// No condition; the sender does not matter.
  case none
  /// No condition; the handler itself checks the sender.
  case anySender
  /// A sender that may have sessions.
  case sender
  /// A sender that may have sessions, for a path that names one; a share with at least this role is accepted,
  /// too.
  case sessionID(ShareRole?)
  /// The same as `sessionID`, and the session is awake.
  case sessionInPath(ShareRole?)
  /// The session that a page shows, if the request is for a page; if it cannot be woken, the page is shown
  /// without it.
  case shownSession

  /// Whether the sender must be one that may have sessions.
  var needsSender: Bool {
    switch self {
    case .none, .anySender, .shownSession: false
    case .sender, .sessionID, .sessionInPath: true
    }
  }
}

typealias SessionRoute = Route<SessionResources>

/// The routes of the session API; each resource adds its own.
enum SessionRoutes {}

extension Endpoint where Context == SessionResources {
  /// Creates an endpoint of a resource that is not a session.
  convenience init(_ method: HTTPMethod, _ operation: Operation, _ handler: @escaping Handler) {
    self.init(method, operation, requiring: .none, handler)
  }
}

extension PathParameters {
  /// Returns the session that the path names; throws 404 if the text cannot be a session's id.
  func sessionID() throws(Problem) -> SessionID {
    guard let id = self["id", as: SessionID.self] else { throw .unknownSession }
    return id
  }
}
