import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions
import UIFusionKit

extension SessionRoutes {
  /// The route `/topics`, for other nodes alone: takes what was published on one of them.
  static let topics = SessionRoute(
    "/topics",
    Endpoint(
      .post,
      Operation(
        id: "publishToNode",
        tag: "Nodes",
        summary: "Hand on values of topics",
        responses: [:]
      )
    ) { api, _, request, respond throws(Problem) in
      guard let topics = api.topics else { throw .notFound }
      let isTaken = topics.take(request.body, for: api.host.dependencies.topics)
      respond(HTTPResponse(isTaken ? 204 : 400))
    }
  )
}
