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
          event: end, data: {"reason":"deleted"} (or expired) is the last. As application/x-ndjson, \
          each event is one object on a line, its name the member `event`. With Accept-Encoding: gzip, \
          each event can be read as soon as it is there.
          """,
        parameters: ["SessionPath", "LastEventID", "After", "Format"],
        optionsParameters: ["AnySessionPath"],
        responses: ["200": OpenAPI.stream(of: "Event")],
        problems: [404, 410, 429]
      )
    ) { api, path, request, respond throws(Problem) in
      api.followSession(try path.sessionID(), request, respond)
    }
  )
}

extension SessionResources {
  /// Opens a stream of one session.
  func followSession(
    _ id: SessionID,
    _ request: HTTPRequest,
    _ respond: PendingResponse
  ) {
    locator.follow([id], from: position(request, ofSeveral: false)) { [self] found in
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
