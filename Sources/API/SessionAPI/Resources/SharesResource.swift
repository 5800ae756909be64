import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions
import FusionStrictJSON

extension SessionRoutes {
  /// The route `/sessions/{id}/shares`.
  static let shares = SessionRoute(
    "/sessions/{id}/shares",
    Endpoint(
      .get,
      Operation(
        id: "listShares",
        tag: "Sessions",
        summary: "The shares of a session",
        parameters: ["SessionPath", "IfSender"],
        optionsParameters: ["AnySessionPath"],
        responses: [
          "200": OpenAPI.answer(
            "Those that are good now, the oldest first.",
            OpenAPI.object(["shares": ["type": "array", "items": shared]])
          )
        ],
        problems: [401, 403, 404, 410, 412, 503]
      ),
      granting: .share
    ) { api, grant, _, _, respond in
      api.listShares(grant, respond)
    },
    Endpoint(
      .post,
      Operation(
        id: "shareSession",
        tag: "Sessions",
        summary: "Share a session",
        description:
          "The share's id stands wherever a session's does: an observer sees State and follows it, a "
          + "driver sends Inputs, too. It is good until it expires or is revoked, or the session ends.",
        parameters: ["SessionPath", "IfSender"],
        optionsParameters: ["AnySessionPath"],
        body: OpenAPI.object(["role": role], optional: ["expires": time])
          .adding(["additionalProperties": false]),
        responses: ["201": OpenAPI.answer("The share.", shared, headers: ["Location"])],
        problems: [400, 401, 403, 404, 410, 412, 413, 415, 422, 429, 503, 507]
      ),
      granting: .share
    ) { api, grant, _, request, respond throws(Problem) in
      try api.shareSession(grant, request, respond)
    }
  )

  /// The route `/sessions/{id}/shares/{share}`.
  static let share = SessionRoute(
    "/sessions/{id}/shares/{share}",
    Endpoint(
      .delete,
      Operation(
        id: "revokeShare",
        tag: "Sessions",
        summary: "Revoke a share",
        parameters: ["SessionPath", "IfSender"],
        optionsParameters: ["AnySessionPath"],
        responses: ["204": OpenAPI.empty("It is good for nothing from now on; its streams end.")],
        problems: [401, 403, 404, 410, 412, 429, 503, 507]
      )
      .adding([["name": "share", "in": "path", "required": true, "schema": ["type": "string"]]]),
      granting: .share
    ) { api, grant, path, request, respond throws(Problem) in
      try api.revokeShare(path["share", as: ShareID.self], of: grant, request, respond)
    }
  )

  private static let role: JSONTree = [
    "type": "string", "enum": .array(ShareRole.allCases.map { .string($0.rawValue) }),
  ]
  private static let time: JSONTree = ["type": "string", "format": "date-time"]
  private static let shared = OpenAPI.object(
    ["id": ["type": "string"], "role": role],
    optional: ["expires": time]
  )
}

extension SessionResources {
  func shareSession(
    _ grant: Grant,
    _ request: HTTPRequest,
    _ respond: PendingResponse
  ) throws(Problem) {
    let id = grant.session.id
    let new = try request.json().root.decode(NewShare.self, or: .invalidShare)
    let expires = try expiry(new.expires)
    try admission.admit(1, of: request)
    host.shares.share(id, as: new.role, until: expires) { [self] result in
      guard case .success(let share) = result else { return refuseShare(of: id, result, respond) }
      var response = HTTPResponse(201, json: share.json.bytes)
      response.headers["Location"] = "\(basePath.text)/sessions/\(share.id)"
      respond(response)
    }
  }

  private func expiry(_ text: String?) throws(Problem) -> WallTime? {
    guard let text else { return nil }
    guard let time = Timestamp(text).map({ WallTime(milliseconds: Int64($0.milliseconds)) }),
      time > host.shares.now
    else {
      throw .invalidShare.filled(with: "it expires at a time to come, as 2031-05-01T12:00:00Z")
        .naming("expires")
    }
    return time
  }

  /// Answers that a share was not stored: the limit is reached, or the session has ended in the meantime.
  private func refuseShare(
    of id: SessionID,
    _ result: Result<StoredShare, StoreError>,
    _ respond: PendingResponse
  ) {
    guard case .failure(.conflict) = result else {
      return respond.answer { () throws(Problem) in _ = try Problem.unwrap(result) }
    }
    host.shares.find(.session(id)) { found in
      respond.answer { () throws(Problem) in
        let isFull = try Problem.unwrap(found).count >= StoredShare.limit
        throw isFull ? .tooManyShares.limited(to: StoredShare.limit) : .endedSession
      }
    }
  }

  func listShares(_ grant: Grant, _ respond: PendingResponse) {
    host.shares.find(.session(grant.session.id)) { result in
      respond.answer { () throws(Problem) in
        let body: JSONTree = ["shares": .array(try Problem.unwrap(result).map(\.json))]
        respond(HTTPResponse(200, json: body.bytes, headers: ["Cache-Control": "no-store"]))
      }
    }
  }

  func revokeShare(
    _ share: ShareID?,
    of grant: Grant,
    _ request: HTTPRequest,
    _ respond: PendingResponse
  ) throws(Problem) {
    guard let share else { throw .unknownShare }
    try admission.admit(1, of: request)
    host.shares.find(.ids([share])) { [self] result in
      respond.answer { () throws(Problem) in
        guard let found = try Problem.unwrap(result).first, found.session == grant.session.id
        else { throw .unknownShare }
        host.shares.revoke(found) { [self] error in
          if let error { return respond(Problem(error).response) }
          respond(HTTPResponse(204))
          access.endLostShares(of: streams)
        }
      }
    }
  }

  /// The body that a client sends.
  private struct NewShare: Decodable {
    let role: ShareRole
    let expires: String?
  }
}

extension ShareRole: Decodable {}

extension StoredShare {
  fileprivate var json: JSONTree {
    let json: JSONTree = ["id": .string("\(id)"), "role": .string(role.rawValue)]
    guard let expires, let time = Timestamp(milliseconds: Int(expires.milliseconds)) else {
      return json
    }
    return json.adding(["expires": .string(time.text)])
  }
}

extension Problem {
  fileprivate static let invalidShare =
    invalidRequest.detailed("Send an object such as {\"role\":\"observer\"}: {}.")
}
