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
        problems: [400, 401, 403, 404, 410, 412, 503]
      ),
      granting: .read
    ) { api, grant, _, request, respond throws(Problem) in
      try api.showSession(grant, request, respond: respond)
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
      claiming: .end
    ) { api, claim, _, request, respond in
      api.access.end(claim, for: request, respond)
    }
  )
}

extension SessionResources {
  /// Shows a session; with `If-None-Match` and `Prefer: wait`, once it has changed or the wait is over.
  func showSession(
    _ grant: Grant,
    _ request: HTTPRequest,
    respond: PendingResponse
  ) throws(Problem) {
    guard let known = request.headers.list("If-None-Match").map(EntityTags.init) else {
      return respond(try grant.response(200))
    }
    guard let wait = Preferences(request.headers).wait else {
      return respond(try grant.response(200).unless(known))
    }
    LongPoll(grant, known: known, wait: wait, respond: respond).begin(host.timeouts)
  }
}

extension Grant {
  /// Returns the current description of the session; for the holder of a share, with the share's id.
  func response(_ status: Int) throws(Problem) -> HTTPResponse {
    try session.response(status, by: share?.id)
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
  private let grant: Grant
  /// The versions that the client has.
  let known: EntityTags
  /// The seconds for which the client waits.
  let wait: Int
  private let held: HeldRequest

  init(_ grant: Grant, known: EntityTags, wait: Int, respond: PendingResponse) {
    self.grant = grant
    self.known = known
    self.wait = wait
    held = HeldRequest(respond)
  }

  private var session: Session { grant.session }

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
      var response = try grant.response(200).unless(known)
      response.headers.append("Preference-Applied", "wait=\(wait)")
      respond(response)
    }
  }
}
