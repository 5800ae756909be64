import FusionHTTPMessages
import FusionSessions
import FusionStrictJSON

extension Route {
  /// The route `/sessions/{id}`.
  static let session = Route(
    "/sessions/{id}",
    Endpoint(
      .get,
      Operation(
        id: "getSession",
        tag: "Sessions",
        summary: "Look at a session",
        description:
          "With If-None-Match and Prefer: wait, held until the version moves (long poll).",
        parameters: [
          OpenAPI.parameter("SessionPath"), OpenAPI.parameter("IfNoneMatch"),
          OpenAPI.parameter("Prefer"),
        ],
        responses: [
          "200": OpenAPI.answer(
            "The session.",
            OpenAPI.schema("Session"),
            headers: ["ETag", "Preference-Applied"]
          ),
          "304": OpenAPI.empty("The version is current.", headers: ["ETag", "Preference-Applied"]),
          "400": OpenAPI.problem("400"), "404": OpenAPI.problem("404"),
          "410": OpenAPI.problem("410"), "503": OpenAPI.problem("503"),
        ]
      )
    ) { api, path, request, respond throws(Problem) in
      try api.showSession(path.sessionID(), request, respond: respond)
    },
    Endpoint(
      .delete,
      Operation(
        id: "deleteSession",
        tag: "Sessions",
        summary: "End a session",
        parameters: [OpenAPI.parameter("SessionPath")],
        responses: [
          "204": OpenAPI.empty("What it was doing is cancelled, and its streams end."),
          "403": OpenAPI.problem("403"), "404": OpenAPI.problem("404"),
          "410": OpenAPI.problem("410"), "503": OpenAPI.problem("503"),
          "507": OpenAPI.problem("507"),
        ]
      ),
      // What is to end need not be woken before.
      awakening: .none
    ) { api, path, request, respond throws(Problem) in
      api.deleteSession(try path.sessionID(), request, respond: respond)
    }
  )
}

extension SessionAPI {
  /// Shows a session; with `If-None-Match` and `Prefer: wait`, as soon as there is something new.
  func showSession(
    _ id: SessionID,
    _ request: HTTPRequest,
    respond: PendingAnswer
  ) throws(Problem) {
    let session = try session(id)
    guard let known = request.headers.list("If-None-Match").map(EntityTags.init) else {
      respond(try session.response(200))
      return
    }
    guard let wait = Preferences(request.headers).wait else {
      respond(try session.response(200).unless(known))
      return
    }
    LongPoll(session, known: known, wait: wait, respond: respond).begin(host.timeouts)
  }

  func deleteSession(
    _ id: SessionID,
    _ request: HTTPRequest,
    _ journey: ForwardingRetry? = nil,
    respond: PendingAnswer
  ) {
    forgetLocations(of: [id], for: request)
    host.delete(id) { result in
      if case .failure(.elsewhere(let node)) = result {
        return forward(request, for: id, to: node, journey ?? ForwardingRetry(), respond) {
          journey,
          respond in
          deleteSession(id, request, journey, respond: respond)
        }
      }
      let response =
        switch result {
        case .success(.live), .success(.asleep): HTTPResponse(204)
        case .success(.ended): Problem.endedSession.response
        case .success(.unknown): Problem.unknownSession.response
        case .failure(let failure) where isAskedInVain(request, failure): Problem.otherNode.response
        case .failure(let failure): Problem(failure).response
        }
      respond(response)
    }
  }
}

extension Session {
  /// The whole session as it is now.
  func response(_ status: Int) throws(Problem) -> HTTPResponse {
    let view = feed.current
    guard view.end == nil, let snapshot = view.snapshot else { throw .endedSession }
    do throws(MemoryFull) { try requireMemory() } catch { throw Problem(error) }
    let body = snapshot.description(of: self, isSettled: view.isSettled)
    return HTTPResponse(
      status,
      json: body,
      headers: ["ETag": snapshot.tag, "Cache-Control": "no-cache"]
    )
  }
}

extension HTTPResponse {
  /// This response, or 304 for a client that has it (RFC 9110 §13.1.2).
  func unless(_ known: EntityTags) -> HTTPResponse {
    headers["ETag"].map(known.contain) == true ? notModified : self
  }
}
