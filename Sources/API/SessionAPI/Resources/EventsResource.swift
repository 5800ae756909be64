import FusionHTTPMessages
import FusionSessions

extension Route {
  /// The route `/sessions/{id}/events`.
  static let events = Route(
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
          event: end, data: {"reason":"deleted"} (or expired) is the last. As application/x-ndjson, \
          each event is one object on a line, its name the member `event`. With Accept-Encoding: gzip, \
          each event can be read as soon as it is there.
          """,
        parameters: [
          OpenAPI.parameter("SessionPath"), OpenAPI.parameter("LastEventID"),
          OpenAPI.parameter("After"), OpenAPI.parameter("Format"),
        ],
        responses: [
          "200": OpenAPI.stream(of: "Event"), "404": OpenAPI.problem("404"),
          "410": OpenAPI.problem("410"), "429": OpenAPI.problem("429"),
        ]
      ),
      awakening: .followedSession,
      refusal: { api, request, failure throws(Problem) in
        try api.refuseStream(request, ofSeveral: false, failure)
      }
    ) { api, path, request, respond throws(Problem) in
      try api.followSession(path.sessionID(), request, respond)
    }
  )
}

extension SessionAPI {
  func followSession(
    _ id: SessionID,
    _ request: HTTPRequest,
    _ respond: PendingAnswer
  ) throws(Problem) {
    guard let relays else {
      let session = try session(id)
      let subscription = try subscription(request, ofSeveral: false)
      return respond(try follow(request, subscription.adding(session)))
    }
    let subscription = try subscription(request, ofSeveral: false)
    relays.open([id], from: subscription.position) { openings in
      do throws(Problem) {
        switch openings[0] {
        case .open(let use): respond(try follow(request, subscription.adding(use)))
        case .ended: throw .endedSession
        case .unknown: throw .unknownSession
        case .failed(let failure):
          respond(try refuseStream(request, ofSeveral: false, failure))
        }
      } catch {
        respond(error.response)
      }
    }
  }
}
