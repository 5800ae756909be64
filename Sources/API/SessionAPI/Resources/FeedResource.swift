import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions

extension SessionRoutes {
  /// The route `/sessions/{id}/feed`, for other nodes alone: each follows a session once, for all of its streams.
  static let feed = SessionRoute(
    "/sessions/{id}/feed",
    Endpoint(
      .get,
      Operation(
        id: "feedNode",
        tag: "Nodes",
        summary: "Follow a session for a node",
        responses: [:]
      ),
      requiring: .sessionInPath
    ) { api, path, request, respond throws(Problem) in
      respond(try api.feedNode(path.sessionID(), request))
    }
  )
}

extension SessionResources {
  /// Returns the stream of a session for another node.
  func feedNode(_ id: SessionID, _ request: HTTPRequest) throws(Problem) -> HTTPResponse {
    let session = try session(id)
    var request = request
    // A node asks for many clients.
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
