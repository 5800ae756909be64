import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions
import FusionStrictJSON

extension SessionRoutes {
  /// The route `/sessions/{id}`.
  static let session = SessionRoute(
    "/sessions/{id}",
    Endpoint(
      .get,
      Operation(
        id: "getSession",
        tag: "Sessions",
        summary: "Look at a session",
        description:
          "With If-None-Match and Prefer: wait, held until the version moves (long poll).",
        parameters: ["SessionPath", "IfNoneMatch", "Prefer"],
        optionsParameters: ["AnySessionPath"],
        responses: [
          "200": OpenAPI.answer(
            "The session.",
            OpenAPI.schema("Session"),
            headers: ["ETag", "Preference-Applied"]
          ),
          "304": OpenAPI.empty("The version is current.", headers: ["ETag", "Preference-Applied"]),
        ],
        problems: [400, 404, 410, 503]
      ),
      requiring: .sessionInPath
    ) { api, path, request, respond throws(Problem) in
      try api.showSession(path.sessionID(), request, respond: respond)
    },
    Endpoint(
      .delete,
      Operation(
        id: "deleteSession",
        tag: "Sessions",
        summary: "End a session",
        parameters: ["SessionPath"],
        responses: [
          "204": OpenAPI.empty("What it was doing is cancelled, and its streams end.")
        ],
        problems: [403, 404, 410, 503, 507]
      )
    ) { api, path, request, respond throws(Problem) in
      api.deleteSession(try path.sessionID(), request, respond: respond)
    }
  )
}

extension SessionResources {
  /// Shows a session; with `If-None-Match` and `Prefer: wait`, as soon as there is something new.
  func showSession(
    _ id: SessionID,
    _ request: HTTPRequest,
    respond: PendingResponse
  ) throws(Problem) {
    let session = try session(id)
    guard let known = request.headers.list("If-None-Match").map(EntityTags.init) else {
      return respond(try session.response(200))
    }
    guard let wait = Preferences(request.headers).wait else {
      return respond(try session.response(200).unless(known))
    }
    LongPoll(session, known: known, wait: wait, respond: respond).begin(host.timeouts)
  }

  /// Ends a session, awake or not.
  func deleteSession(_ id: SessionID, _ request: HTTPRequest, respond: PendingResponse) {
    locator.delete(id, for: sessionRequest(request, respond)) { request, result in
      request.respond.answer { () throws(Problem) in
        switch result {
        case .success(.live), .success(.asleep): request.respond(HTTPResponse(204))
        case .success(.ended): throw .endedSession
        case .success(.unknown): throw .unknownSession
        case .failure(let failure): throw Problem(failure)
        }
      }
    }
  }
}

extension Session {
  /// Returns the whole session as it is now.
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
  /// Returns this response, or 304 for a client that has it (RFC 9110 §13.1.2).
  func unless(_ known: EntityTags) -> HTTPResponse {
    headers["ETag"].map(known.contain) == true ? notModified : self
  }
}
