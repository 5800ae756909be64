import FusionHTTPMessages
import FusionHTTPToolkit
import FusionKeyedDigest
import FusionMetrics
import FusionSessions
import UIFusionKit

/// The dependencies of the session API's resources: the context of its routes.
///
/// Each resource extends this class with its endpoints' handlers.
final class SessionResources: RoutingContext {
  typealias Requirement = SessionRequirement

  let host: HostServices
  /// The way to sessions.
  let access: SessionAccess
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
  /// The maximum number of bytes of an Input that is sent as a line.
  let bodyLimit: Int
  /// Whether anonymous senders may have sessions.
  let allowsAnonymous: Bool
  let clientSessions: ClientQuota
  let clientStreams: ClientQuota
  let admission: InputAdmission

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
    bodyLimit: Int,
    inspector: SessionInspector?,
    allowsAnonymous: Bool,
    hasSenders: Bool
  ) {
    self.host = HostServices(host)
    self.files = files
    self.streams = streams
    self.readiness = readiness
    self.metrics = metrics
    self.described = described
    self.basePath = basePath
    self.heartbeat = heartbeat
    self.bodyLimit = bodyLimit
    self.allowsAnonymous = allowsAnonymous
    clientSessions = ClientQuota(limit: clients.sessions, usual: ClientLimits.usualSessions)
    clientStreams = ClientQuota(limit: clients.streams, usual: ClientLimits.usualStreams)
    specs = ViewModelSpecs(host.dependencies, below: basePath, hasSenders: hasSenders)
    prerenderedPages = PrerenderedPages(host.dependencies)
    bodyDigest = KeyedDigest(secret: host.secret)
    admission = InputAdmission(
      clients.inputsPerSecond.map(ClientRates.init),
      host.dependencies.time
    )
    access = SessionAccess(host, locator, inspector, admission, bodyDigest)
  }

  /// Creates a copy for requests of other nodes: without a rate limit, and open to anonymous senders, since
  /// those nodes have counted the Inputs and authenticated the senders.
  init(forNodes other: SessionResources) {
    host = other.host
    access = other.access.withoutLimit()
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
    bodyLimit = other.bodyLimit
    clientSessions = other.clientSessions
    clientStreams = other.clientStreams
    allowsAnonymous = true
    admission = InputAdmission(nil, host.dependencies.time)
  }
}

extension SessionResources {
  /// Answers a request with an endpoint.
  func answer(
    _ request: HTTPRequest,
    at path: PathParameters,
    with endpoint: Endpoint<SessionResources>,
    _ respond: PendingResponse
  ) throws(Problem) {
    switch endpoint.requirement {
    case .none, .anySender: break
    case .sender: try requireSender(of: request)
    case .shownSession:
      guard let claim = shownSession(by: request) else { break }
      // The page's files are this node's, wherever the session is.
      return access.wakeHere(claim) { [self] in
        respond.answer { () throws(Problem) in
          try endpoint.handler(self, path, request, respond)
        }
      }
    }
    try endpoint.handler(self, path, request, respond)
  }

  /// Returns a claim to the session in the `session` parameter of a page's address; nil if the request is not for a
  /// page, or its sender may not have sessions.
  func shownSession(by request: HTTPRequest) -> Claim? {
    guard showsSession(request.target), (try? requireSender(of: request)) != nil,
      let id = request.target.first("session").flatMap({ SessionID($0) })
    else { return nil }
    return Claim(.read, to: id, by: request.sender)
  }

  /// Whether a target is that of a page which is to show a session.
  func showsSession(_ target: RequestTarget) -> Bool {
    target.first("session").flatMap { SessionID($0) } != nil && files[target.path]?.head != nil
  }
}
