import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions

extension SessionRoutes {
  /// The route `/sessions/{id}/events`.
  static let events = SessionRoute(
    "/sessions/{id}/events",
    Endpoint(
      .get,
      Operation(
        id: "followSession",
        tag: "Streams",
        summary: "Follow a session",
        description: """
          event: state, data: {"version":7,"state":{…}}, id: the version. The first one is the current \
          snapshot, unless it is known already; later ones have larger versions, and a slow reader skips \
          to the newest. With format=patch, event: patch, data: {"from":7,"version":8,"patch":[…]}. \
          event: end, data: {"reason":"deleted"} (or expired) is the last; {"reason":"signed-out"} where the \
          login ends, and not the session. As application/x-ndjson, \
          each event is one object on a line, its name the member `event`. With Accept-Encoding: gzip, \
          each event can be read as soon as it is there.
          """,
        parameters: ["SessionPath", "LastEventID", "After", "Format", "IfSender"],
        optionsParameters: ["AnySessionPath"],
        responses: ["200": OpenAPI.stream(of: "Event")],
        problems: [401, 403, 404, 410, 412, 429]
      ),
      claiming: .read
    ) { api, claim, _, request, respond in
      api.followSession(claim, request, respond)
    }
  )
}

extension SessionResources {
  /// Opens a stream of one session.
  func followSession(
    _ claim: Claim,
    _ request: HTTPRequest,
    _ respond: PendingResponse
  ) {
    access.follow([claim], from: position(request, ofSeveral: false)) { [self] found in
      respond.answer { () throws(Problem) in
        switch found[0] {
        case .found(let source):
          let subscription = try subscription(request, ofSeveral: false)
          respond(try follow(request, subscription.adding(source)))
        case .ended: throw .endedSession
        case .unknown: throw .unknownSession
        case .failed(let failure):
          respond(try refuseStream(request, ofSeveral: false, failure))
        }
      }
    }
  }
}

extension SessionRoutes {
  /// The route `/events`, for several sessions.
  static let sharedEvents = SessionRoute(
    "/events",
    Endpoint(
      .get,
      Operation(
        id: "followSessions",
        tag: "Streams",
        summary: "Follow several sessions over one connection",
        description: "Data has a member `session`; one opaque id stands for them all.",
        parameters: ["SessionQuery", "LastEventID", "After", "Format", "IfSender"],
        responses: ["200": OpenAPI.stream(of: "SharedEvent")],
        problems: [401, 403, 404, 410, 412, 429]
      ),
      requiring: .sender
    ) { api, _, request, respond throws(Problem) in
      try api.followSessions(request, respond)
    }
  )
}

extension SessionResources {
  /// The maximum number of sessions in one stream.
  private static var streamSessions: Int { 64 }

  /// Opens a stream of the sessions in the query; an ended session gets its `end` at once.
  func followSessions(_ request: HTTPRequest, _ respond: PendingResponse) throws(Problem) {
    let subscription = try subscription(request, ofSeveral: true)
    let names = try namedSessions(request)
    let shares = names.compactMap { ShareID($0) }
    guard !shares.isEmpty else { return try follow(names, [], subscription, request, respond) }
    host.shares.find(.ids(shares)) { [self] result in
      respond.answer { () throws(Problem) in
        try follow(names, try Problem.unwrap(result), subscription, request, respond)
      }
    }
  }

  private func follow(
    _ names: [String],
    _ shares: [StoredShare],
    _ subscription: StreamSubscription,
    _ request: HTTPRequest,
    _ respond: PendingResponse
  ) throws(Problem) {
    let claims = try names.map { name throws(Problem) -> Claim in
      if let id = SessionID(name) { return Claim(.read, to: id, by: request.sender) }
      let share = ShareID(name).flatMap { id in shares.first { $0.id == id } }
      guard let claim = share.flatMap({ Claim(.read, by: $0, of: request.sender) }) else {
        throw .unknownSession.adding("session", name)
      }
      return claim
    }
    access.follow(claims, from: subscription.position) { [self] found in
      respond.answer { () throws(Problem) in
        respond(try follow(request, subscription, zip(names, found)))
      }
    }
  }

  private func follow(
    _ request: HTTPRequest,
    _ subscription: StreamSubscription,
    _ found: some Sequence<(String, FollowedSession)>
  ) throws(Problem) -> HTTPResponse {
    var subscription = subscription
    for (id, session) in found {
      switch session {
      case .found(let source): subscription = subscription.adding(source)
      case .ended(let end): subscription.ended.append((id, end))
      case .unknown: throw .unknownSession.adding("session", id)
      case .failed(.notPermitted(let reason)):
        throw .notPermitted.detailed(reason).adding("session", id)
      case .failed(let failure): return try refuseStream(request, ofSeveral: true, failure)
      }
    }
    guard !subscription.sessions.isEmpty else { throw .endedSession }
    return try follow(request, subscription)
  }

  private func namedSessions(_ request: HTTPRequest) throws(Problem) -> [String] {
    var seen: Set<String> = []
    let names = request.target.query.filter { $0.name == "session" }.map(\.value)
      .filter { seen.insert($0).inserted }
    guard !names.isEmpty else {
      throw .invalidQuery.filled(with: "Name the sessions, as in /events?session=A&session=B.")
        .naming("session")
    }
    guard names.count <= Self.streamSessions else {
      throw .invalidQuery.filled(with: "Name \(Self.streamSessions) sessions at the most.")
        .naming("session")
    }
    return names
  }
}
