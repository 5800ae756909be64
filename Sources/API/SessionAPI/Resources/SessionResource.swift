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
        parameters: ["SessionPath", "IfNoneMatch", "Prefer", "IfSender"],
        optionsParameters: ["AnySessionPath"],
        responses: [
          "200": OpenAPI.answer(
            "The session.",
            OpenAPI.schema("Session"),
            headers: ["ETag", "Vary", "Preference-Applied", "Sender"]
          ),
          "304": OpenAPI.empty(
            "The version is current.",
            headers: ["ETag", "Vary", "Preference-Applied"]
          ),
        ],
        problems: [400, 401, 404, 410, 412, 503]
      ),
      requiring: .sessionInPath(.observer)
    ) { api, path, request, respond throws(Problem) in
      try api.showSession(path.sessionID(), request, respond: respond)
    },
    Endpoint(
      .delete,
      Operation(
        id: "deleteSession",
        tag: "Sessions",
        summary: "End a session",
        parameters: ["SessionPath", "IfSender"],
        responses: [
          "204": OpenAPI.empty("What it was doing is cancelled, and its streams end.")
        ],
        problems: [401, 403, 404, 410, 412, 503, 507]
      ),
      requiring: .sessionID(nil)
    ) { api, path, request, respond throws(Problem) in
      api.deleteSession(try path.sessionID(), request, respond: respond)
    }
  )
}

extension SessionResources {
  /// Shows a session; with `If-None-Match` and `Prefer: wait`, once it has changed or the wait is over.
  func showSession(
    _ id: SessionID,
    _ request: HTTPRequest,
    respond: PendingResponse
  ) throws(Problem) {
    let session = try session(id, for: request)
    guard let known = request.headers.list("If-None-Match").map(EntityTags.init) else {
      return respond(try session.response(200, by: share?.id))
    }
    guard let wait = Preferences(request.headers).wait else {
      return respond(try session.response(200, by: share?.id).unless(known))
    }
    LongPoll(session, share?.id, known: known, wait: wait, respond: respond).begin(host.timeouts)
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
  /// Returns the current description of the session; for the holder of a share, with the share's id.
  func response(_ status: Int, by share: ShareID? = nil) throws(Problem) -> HTTPResponse {
    let view = feed.current
    guard view.end == nil, let snapshot = view.snapshot else { throw .endedSession }
    do throws(MemoryFull) { try requireMemory() } catch { throw Problem(error) }
    let body = snapshot.description(of: self, by: share, isSettled: view.isSettled)
    var response = HTTPResponse(status, json: body, headers: ["ETag": snapshot.tag])
    response.headers.keepPrivate()
    return response
  }
}

extension HTTPResponse {
  /// Returns this response, or 304 for a client that already has it (RFC 9110 §13.1.2).
  func unless(_ known: EntityTags) -> HTTPResponse {
    headers["ETag"].map(known.contain) == true ? notModified : self
  }
}

/// A `GET /sessions/{id}` of a client that knows a version and waits for a newer one.
struct LongPoll: Sendable {
  let session: Session
  let share: ShareID?
  /// The versions that the client has.
  let known: EntityTags
  /// The seconds for which the client waits.
  let wait: Int
  private let held: HeldRequest

  init(
    _ session: Session,
    _ share: ShareID?,
    known: EntityTags,
    wait: Int,
    respond: PendingResponse
  ) {
    self.session = session
    self.share = share
    self.known = known
    self.wait = wait
    held = HeldRequest(respond)
  }

  func begin(_ timeouts: Timeouts) {
    let following = session.feed.follow {
      guard hasNews else { return }
      // A version appears in the middle of a turn; at its end it is known whether the session is settled.
      session.afterTurn { answer() }
    }
    held.atEnd { session.feed.unfollow(following) }
    // A change before the feed was followed has not woken this request.
    if hasNews { answer() }
    held.hold(for: wait, in: session, timeouts) { answer() }
  }

  /// Whether the session has a version that the client does not know, has ended, or has moved elsewhere.
  private var hasNews: Bool {
    let view = session.feed.current
    guard view.end == nil, !view.hasMoved, let snapshot = view.snapshot else { return true }
    return !known.contain(snapshot.tag)
  }

  private func answer() {
    guard let respond = held.take() else { return }
    respond.answer { () throws(Problem) in
      // Another node has taken over the session: the State here may be outdated.
      if session.feed.current.hasMoved { throw .storeUnreachable }
      var response = try session.response(200, by: share).unless(known)
      response.headers.append("Preference-Applied", "wait=\(wait)")
      respond(response)
    }
  }
}
