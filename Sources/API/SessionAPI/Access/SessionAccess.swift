import FusionHTTPMessages
import FusionHTTPToolkit
import FusionKeyedDigest
import FusionSessions
import UIFusionKit

/// The only place that decides who may do what with a session, and the only way to a session by its id.
///
/// A request that names a session, or a share of it, makes a ``Claim``. The claim is checked against the session's
/// origin, and its view model's rule, where they are known: at the session itself, which then comes with a ``Grant``, at a stream's source, or in the archive.
/// To others than its owner, the session does not exist; what a rule denies is refused. The node of a session checks the requests that
/// other nodes forward; a share is looked up in the store for each request, so that one that was revoked on one node
/// is invalid on all.
final class SessionAccess: Sendable {
  private let host: SessionHost
  private let locator: any SessionLocator
  /// The reader of stored sessions; nil if clients may not read them.
  private let inspector: SessionInspector?
  private let admission: InputAdmission
  private let digest: KeyedDigest

  init(
    _ host: SessionHost,
    _ locator: any SessionLocator,
    _ inspector: SessionInspector?,
    _ admission: InputAdmission,
    _ digest: KeyedDigest
  ) {
    (self.host, self.locator, self.inspector) = (host, locator, inspector)
    (self.admission, self.digest) = (admission, digest)
  }

  /// Returns the same access for requests of other nodes, which have counted the Inputs.
  func withoutLimit() -> SessionAccess {
    SessionAccess(host, locator, inspector, InputAdmission(nil, host.dependencies.time), digest)
  }

  /// Calls a function with the claim of a request whose path names a session or a share; answers with a problem if
  /// the share does not exist, or does not include the right.
  ///
  /// Answers by a share that come later are checked once more: see ``LateShareCheck``.
  func claim(
    _ right: Right,
    in path: PathParameters,
    _ request: HTTPRequest,
    _ respond: PendingResponse,
    _ goOn: @escaping @Sendable (Claim, PendingResponse) throws(Problem) -> Void
  ) throws(Problem) {
    if let id = path["id", as: SessionID.self] {
      return try goOn(Claim(right, to: id, by: request.sender), respond)
    }
    guard let id = path["id", as: ShareID.self] else { throw .unknownSession }
    host.shares.requireStanding(id, respond) { [shares = host.shares] share throws(Problem) in
      guard let claim = Claim(right, by: share, of: request.sender) else { throw .shareForbids }
      let check = LateShareCheck(shares, share, respond)
      let respond = PendingResponse(to: request, at: path, through: .none, check)
      respond.answer { () throws(Problem) in try goOn(claim, respond) }
      check.begin()
    }
  }

  /// Throws 403 if a view model's rule denies reading to a sender, who is to have no session of it then.
  func requireReading(of viewModel: HostedViewModel, by sender: RequestSender?) throws(Problem) {
    guard let rule = viewModel.accessRule, sender !== RequestSender.program,
      case .denied(let reason) = rule.access(sender?.person, .read)
    else { return }
    throw .notPermitted.detailed(reason)
  }

  // MARK: Sessions

  typealias Handler = @Sendable (Grant, HTTPRequest, PendingResponse) throws(Problem) -> Void

  /// Calls a handler with a session, which is woken first if it sleeps; answers with a problem if that fails, or the
  /// claim does not hold.
  ///
  /// If another node owns the session, that node answers.
  func open(
    _ claim: Claim,
    for request: HTTPRequest,
    _ respond: PendingResponse,
    _ handler: @escaping Handler
  ) throws(Problem) {
    if let grant = try awake(claim) { return try handler(grant, request, respond) }
    locate(claim, for: request, respond) { found, request, respond throws(Problem) in
      try handler(found(), request, respond)
    }
  }

  /// Wakes a session where it is, whether it sleeps or not, and calls a handler with a function that returns the
  /// session or throws the problem of its end or of the claim.
  func locate(
    _ claim: Claim,
    for request: HTTPRequest,
    _ respond: PendingResponse,
    _ handler:
      @escaping @Sendable (
        _ found: () throws(Problem) -> Grant, HTTPRequest, PendingResponse
      ) throws(Problem) -> Void
  ) {
    locator.locate([claim.id], for: admission.request(request, respond)) {
      [self] request, failure in
      request.respond.answer { () throws(Problem) in
        if let failure { throw Problem(failure) }
        let found = { () throws(Problem) in try self.here(claim) }
        try handler(found, request.http, request.respond)
      }
    }
  }

  /// Calls a function with a function that finds a session, for something other than a client's request.
  ///
  /// If another node owns the session, it gets the request that `forwarded` makes, and `responder` its answer, or
  /// a problem.
  func open(
    _ claim: Claim,
    asForwarded forwarded: () -> HTTPRequest,
    _ responder: any HTTPResponder,
    _ body:
      @escaping @Sendable (_ found: () throws(Problem) -> Grant) throws(Problem) -> Void
  ) {
    let answer = { @Sendable (act: () throws(Problem) -> Void) in
      do throws(Problem) { try act() } catch { responder(error.response) }
    }
    answer { () throws(Problem) in
      if let grant = try awake(claim) { return try body { grant } }
      let request = forwarded()
      let respond = PendingResponse(to: request, at: nil, through: .none, responder)
      let wanted = SessionRequest(http: request, respond: respond, admitInputs: nil)
      locator.locate([claim.id], for: wanted) { [self] _, failure in
        answer { () throws(Problem) in
          if let failure { throw Problem(failure) }
          try body { () throws(Problem) in try self.here(claim) }
        }
      }
    }
  }

  /// Returns a session that is awake on this node; nil if it has to be woken or looked for.
  func awake(_ claim: Claim) throws(Problem) -> Grant? {
    switch host.directory.findAwake(claim.id) {
    case .resident(let session): return try Grant(claim, to: session)
    case .asleep:
      try permissionIfKnown(claim).require()
      return nil
    case .ended: throw .endedSession
    case .unknown: throw .unknownSession
    }
  }

  /// Returns a session that was woken on this node.
  func here(_ claim: Claim) throws(Problem) -> Grant {
    switch host.directory.find(claim.id) {
    case .resident(let session): return try Grant(claim, to: session)
    case .ended: throw .endedSession
    // The session fell asleep again after it was woken, because its store failed.
    case .asleep: throw .storeUnreachable
    case .unknown: throw .unknownSession
    }
  }

  /// Returns whether a claim holds for a session of an origin.
  private func permission(_ claim: Claim, _ origin: SessionOrigin) -> Permission {
    claim.permission(for: origin, under: host.viewModels.named(origin.viewModel)?.accessRule)
  }

  /// Returns whether a claim holds for a session, as far as its origin is known here: it is not woken in vain.
  private func permissionIfKnown(_ claim: Claim) -> Permission {
    host.directory.origin(of: claim.id).map { permission(claim, $0) } ?? .granted
  }

  /// Calls a function after waking a session on this node, if it sleeps and the claim may hold.
  func wakeHere(_ claim: Claim, _ goOn: @escaping @Sendable () -> Void) {
    guard host.directory.isAsleep(claim.id), permissionIfKnown(claim) == .granted else {
      return goOn()
    }
    host.waker.wake([claim.id]) { _ in goOn() }
  }

  /// Opens a session for a request that has waited, unless its share has been revoked or has expired.
  func reopen(
    _ claim: Claim,
    for request: HTTPRequest,
    _ respond: PendingResponse,
    _ handler: @escaping Handler
  ) {
    guard let share = claim.share else {
      return respond.answer { () throws(Problem) in
        try open(claim, for: request, respond, handler)
      }
    }
    host.shares.requireStanding(share.id, respond) { [self] _ throws(Problem) in
      try open(claim, for: request, respond, handler)
    }
  }

  /// Ends a session, awake or not, on any node; answers with 204 or a problem.
  func end(_ claim: Claim, for request: HTTPRequest, _ respond: PendingResponse) {
    let wanted = admission.request(request, respond)
    let check: PermissionCheck = { [self] origin in permission(claim, origin) }
    locator.delete(claim.id, if: check, for: wanted) { request, result in
      request.respond.answer { () throws(Problem) in
        switch result {
        case .success(.resident), .success(.asleep): request.respond(HTTPResponse(204))
        case .success(.ended): throw .endedSession
        case .success(.unknown): throw .unknownSession
        case .failure(let failure): throw Problem(failure)
        }
      }
    }
  }

  // MARK: Streams

  /// Finds the sources for a stream, on any node: one result for each claim, in their order.
  func follow(
    _ claims: [Claim],
    from position: StreamPosition,
    _ done: @escaping @Sendable ([FollowedSession]) -> Void
  ) {
    let seen = claims.map { (id: $0.id, seen: position.version(of: $0.shownID) ?? 0) }
    follow(zip(claims, seen.map(\.seen)).map { ($0, seen: $1) }, done)
  }

  /// Finds the sources for a stream whose client has seen some versions.
  func follow(
    _ claims: [(claim: Claim, seen: Int)],
    _ done: @escaping @Sendable ([FollowedSession]) -> Void
  ) {
    let permissions = claims.map { permissionIfKnown($0.claim) }
    let permitted = zip(claims, permissions).filter { $1 == .granted }.map { wanted, _ in
      (id: wanted.claim.id, seen: wanted.seen)
    }
    guard !permitted.isEmpty else {
      return done(permissions.map { FollowedSession($0) ?? .unknown })
    }
    locator.follow(permitted) { [self] found in
      var rest = found[...]
      done(
        zip(claims, permissions).map { wanted, permission in
          if let refused = FollowedSession(permission) { return refused }
          guard let session = rest.popFirst() else { return .unknown }
          guard case .found(let source) = session else { return session }
          return FollowedSession(self.permission(wanted.claim, source.origin))
            ?? .found(shown(source, by: wanted.claim))
        }
      )
    }
  }

  /// Returns a source as the holder of a claim sees it; its view model is told of the visitor if it observes them.
  private func shown(_ source: any StreamSource, by claim: Claim) -> any StreamSource {
    // A session that follows another one is no visitor, nor is the program.
    let isVisit =
      source.isToldOfVisitors && claim.sender?.session == nil
      && claim.sender !== RequestSender.program
    let source = isVisit ? VisitedSource(source, Visitor(claim, digest)) : source
    return claim.share.map { SharedSource(source, $0) } ?? source
  }

  /// Ends in streams the sessions of shares that have expired, or were revoked on any node.
  func endLostShares(of streams: Streams) {
    var rest = Array(streams.shares)[...]
    while !rest.isEmpty {
      let asked = Set(rest.prefix(Self.sharesAtOnce))
      rest = rest.dropFirst(Self.sharesAtOnce)
      host.shares.find(.ids(Array(asked))) { [host] result in
        // Shares expire even if the store does not answer.
        let standing = try? result.map { Set($0.map(\.id)) }.get()
        streams.endShares { [now = host.shares.now] share in
          guard asked.contains(share.id) else { return nil }
          if !share.isValid(at: now) { return .expired }
          return standing?.contains(share.id) == false ? .deleted : nil
        }
      }
    }
  }

  /// The maximum number of shares to ask the store for at once, so that commits need not wait long.
  private static let sharesAtOnce = 256

  // MARK: Stored sessions

  /// Whether clients may read stored versions.
  var readsArchive: Bool { inspector != nil }

  /// Reads from the archive what a function finds for a stored session; nil if there is none for the claim's sender, and
  /// a ``Problem`` if a rule denies the use.
  ///
  /// `done` is called on the archive's thread.
  func read<Found>(
    _ claim: Claim,
    _ body: @escaping @Sendable (any SessionArchive, StoredSession) throws -> Found,
    _ done: @escaping @Sendable (Result<Found?, any Error>) -> Void
  ) throws(Problem) {
    guard let inspector else { throw .unknownSession }
    inspector.read(
      { [self] archive in
        guard let session = try archive.load(claim.id) else { return nil }
        switch self.permission(claim, session.origin) {
        // Others must not learn what there is.
        case .unknown: return nil
        case .denied(let reason): throw Problem.notPermitted.detailed(reason)
        case .granted: return try body(archive, session)
        }
      },
      done
    )
  }

  /// Finds a session to be watched, on any node, without waking it.
  func watch(
    _ claim: Claim,
    _ respond: PendingResponse,
    _ found: @escaping @Sendable (WatchedSession) throws(Problem) -> Void
  ) throws(Problem) {
    switch host.directory.peek(claim.id) {
    case .ended: throw .endedSession
    case .unknown: throw .unknownSession
    case .resident(let session):
      let grant = try Grant(claim, to: session)
      try found(WatchedSession(grant.claim.id, .awake, host, locator, inspector))
    case .asleep:
      try read(claim) { archive, session in
        (session, try archive.owner(of: session.id))
      } _: {
        [self] result in
        respond.answer { () throws(Problem) in
          guard let (session, owner) = try Problem.unwrap(result) else { throw .unknownSession }
          let other = owner.flatMap { $0.number == host.ownership.node?.number ? nil : $0 }
          let place = other.map { WatchedSession.Place.elsewhere($0) } ?? .asleep(session)
          try found(WatchedSession(claim.id, place, host, locator, inspector))
        }
      }
    }
  }
}

extension FollowedSession {
  /// The result for whoever may not follow a session; nil for whoever may.
  fileprivate init?(_ permission: Permission) {
    switch permission {
    case .granted: return nil
    case .unknown: self = .unknown
    case .denied(let reason): self = .failed(.notPermitted(reason))
    }
  }
}
