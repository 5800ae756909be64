import FusionHTTPMessages
import FusionSessions
import UIFusionKit

extension Route {
  static let topicsMediaType = "application/x-uifusion-topics"

  /// `/topics`, for other nodes alone: takes what was published on one of them.
  static let topics = Route(
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
