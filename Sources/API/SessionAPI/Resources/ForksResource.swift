import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions
import FusionStrictJSON

extension SessionRoutes {
  /// The route `/sessions/{id}/forks`.
  static let forks = SessionRoute(
    "/sessions/{id}/forks",
    Endpoint(
      .post,
      Operation(
        id: "forkSession",
        tag: "Sessions",
        summary: "Create a session that goes on from a version of another",
        description:
          "The other notices nothing. Its work of then and its alarms are dropped; or the view model "
          + "is told of the work as after a restart, and the alarms that are set now are carried.",
        parameters: ["SessionPath", "IfSender"],
        optionsParameters: ["AnySessionPath"],
        body: OpenAPI.object(
          [:],
          optional: [
            "version": ["type": "integer", "description": "By default the newest."],
            "work": ["type": "string", "enum": ["drop", "carry"], "default": "drop"],
          ]
        ).adding(["additionalProperties": false]),
        responses: [
          "201": OpenAPI.answer(
            "The new session.",
            OpenAPI.schema("Session"),
            headers: ["Location", "ETag"]
          )
        ],
        problems: [400, 401, 403, 404, 410, 412, 413, 415, 422, 429, 503, 507]
      ),
      claiming: .fork
    ) { api, claim, _, request, respond throws(Problem) in
      try api.forkSession(claim, request, respond)
    }
  )
}

extension SessionResources {
  func forkSession(
    _ claim: Claim,
    _ request: HTTPRequest,
    _ respond: PendingResponse
  ) throws(Problem) {
    let fork = try request.json().root.decode(NewFork.self, or: .invalidRequest)
    guard readiness.phase != .draining else { throw .draining }
    let slot = try takeSlot(for: request.connection.client)
    try past(claim, at: fork.version.map { .version($0) } ?? .newest, respond) { [self] past in
      host.forker.fork(
        past,
        carriesWork: fork.work == .carry,
        by: request.sender?.creator,
        attaching: slot
      ) { [self] result in
        respond.answer { () throws(Problem) in
          let session = try opened(result)
          respond(
            try session.response(201).located(at: location(of: session.id), showing: session.feed)
          )
        }
      }
    }
  }

  /// The body that a client sends.
  private struct NewFork: Decodable {
    enum Work: String, Decodable { case drop, carry }

    let version: Int?
    let work: Work?
  }
}
