import FusionHTTPMessages
import FusionSessions

extension Route {
  /// `/sessions/{id}/feed`, for other nodes alone: each follows a session once, for all of its streams.
  static let feed = Route(
    "/sessions/{id}/feed",
    Endpoint(
      .get,
      Operation(
        id: "feedNode",
        tag: "Nodes",
        summary: "Follow a session for a node",
        responses: [:]
      )
    ) { api, path, request, respond throws(Problem) in
      respond(try api.feedNode(path.sessionID(), request))
    }
  )
}

extension SessionAPI {
  func feedNode(_ id: SessionID, _ request: HTTPRequest) throws(Problem) -> HTTPResponse {
    let session = try session(id)
    var request = request
    // What a node asks for is asked by many.
    request.connection.client = nil
    return try follow(
      request,
      StreamSubscription(
        sessions: [session],
        format: NodeFormat(),
        position: StreamPosition(nil, ofSeveral: false)
      )
    )
  }
}
