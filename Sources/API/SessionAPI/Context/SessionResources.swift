import FusionHTTPMessages
import FusionHTTPToolkit
import FusionKeyedDigest
import FusionMetrics
import FusionSessions

/// The parts that the resources of the session API work with: the context of its routes.
///
/// Each resource extends this class with what its endpoints do.
final class SessionResources: RoutingContext {
  typealias Requirement = SessionRequirement

  let host: SessionHost
  let locator: any SessionLocator
  let files: FileIndex
  let streams: Streams
  let specs: ViewModelSpecs
  let prerenderedPages: PrerenderedPages
  /// The digest that stands for a body that came with a key.
  let bodyDigest: KeyedDigest
  let readiness: Readiness
  let metrics: Metrics
  /// The routes that `/openapi.json` describes.
  let described: Router<SessionResources>
  let basePath: BasePath
  /// The time that a stream may be silent.
  let heartbeat: Duration
  /// The reader of stored versions; nil where the inspector's routes do not exist.
  let inspector: SessionInspector?
  /// Whether those may have sessions who have not said who they are.
  let allowsAnonymous: Bool
  let clientSessions: ClientQuota
  let clientStreams: ClientQuota
  let inputRates: ClientRates?
  /// The share by which the request has come; nil where it names the session itself.
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

  /// Creates the same without a limit on how fast clients send Inputs, and for anonymous ones, too: other nodes have
  /// counted their Inputs, and asked them who they are.
  convenience init(forNodes other: SessionResources) {
    self.init(other, allowsAnonymous: true, inputRates: nil, share: nil)
  }

  /// Creates the same as the holder of a share sees them.
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

/// The condition of an endpoint's handler being called: a sender who may have sessions, a session that is awake.
enum SessionRequirement: Sendable {
  /// None; who sends the request does not matter.
  case none
  /// None; the handler looks at who sends the request.
  case anySender
  /// A sender who may have sessions.
  case sender
  /// The same, where the path names a session; a share of it will do that has at least this role.
  case sessionID(ShareRole?)
  /// The same, and the session is awake.
  case sessionInPath(ShareRole?)
  /// The session that a page shows, if the request is for a page; where it cannot be woken, the page is shown
  /// without it.
  case shownSession

  /// Whether the sender has to be one who may have sessions.
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
  /// Creates an endpoint of a resource that is no session.
  convenience init(_ method: HTTPMethod, _ operation: Operation, _ handler: @escaping Handler) {
    self.init(method, operation, requiring: .none, handler)
  }
}

extension PathParameters {
  /// Returns the session that the path names; throws 404 where the text can be no session's id.
  func sessionID() throws(Problem) -> SessionID {
    guard let id = self["id", as: SessionID.self] else { throw .unknownSession }
    return id
  }
}
