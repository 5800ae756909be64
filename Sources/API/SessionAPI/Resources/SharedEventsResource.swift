import FusionHTTPMessages
import FusionSessions

extension Route {
  /// `/events`, for several sessions.
  static let sharedEvents = Route(
    "/events",
    Endpoint(
      .get,
      Operation(
        id: "followSessions",
        tag: "Streams",
        summary: "Follow several sessions over one connection",
        description: "Data has a member `session`; one opaque id stands for them all.",
        parameters: [
          OpenAPI.parameter("SessionQuery"), OpenAPI.parameter("LastEventID"),
          OpenAPI.parameter("After"), OpenAPI.parameter("Format"),
        ],
        responses: [
          "200": OpenAPI.stream(of: "SharedEvent"), "404": OpenAPI.problem("404"),
          "410": OpenAPI.problem("410"), "429": OpenAPI.problem("429"),
        ]
      ),
      awakening: .querySessions,
      refusal: { api, request, failure throws(Problem) in
        try api.refuseStream(request, ofSeveral: true, failure)
      }
    ) { api, _, request, respond throws(Problem) in
      try api.followSessions(request, respond)
    }
  )
}

extension SessionAPI {
  /// How many sessions one stream may have.
  private static var streamSessions: Int { 64 }

  /// Those that are over are said to be so at once, unless all are.
  func followSessions(_ request: HTTPRequest, _ respond: PendingAnswer) throws(Problem) {
    var subscription = try subscription(request, ofSeveral: true)
    let ids = try namedSessions(request).map { name throws(Problem) in
      guard let id = SessionID(name) else { throw .unknownSession.adding("session", name) }
      return id
    }
    if let relays {
      return relays.open(ids, from: subscription.position) { [subscription] openings in
        do throws(Problem) {
          respond(try follow(request, subscription, zip(ids, openings)))
        } catch {
          respond(error.response)
        }
      }
    }
    for id in ids {
      switch host.find(id) {
      case .live(let session): subscription = subscription.adding(session)
      case .ended(let end): subscription.ended.append((id, end))
      case .unknown: throw .unknownSession.adding("session", id.description)
      case .asleep: throw .storeUnreachable.adding("session", id.description)
      }
    }
    guard !subscription.sessions.isEmpty else { throw .endedSession }
    respond(try follow(request, subscription))
  }

  private func follow(
    _ request: HTTPRequest,
    _ subscription: StreamSubscription,
    _ openings: some Sequence<(SessionID, SessionFeedProxy.Opening)>
  ) throws(Problem) -> HTTPResponse {
    var subscription = subscription
    for (id, opening) in openings {
      switch opening {
      case .open(let use): subscription = subscription.adding(use)
      case .ended(let end): subscription.ended.append((id, end))
      case .unknown: throw .unknownSession.adding("session", id.description)
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
      throw .invalidQuery("session", "Name the sessions, as in /events?session=A&session=B.")
    }
    guard names.count <= Self.streamSessions else {
      throw .invalidQuery("session", "Name \(Self.streamSessions) sessions at the most.")
    }
    return names
  }
}
