import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions
import FusionStrictJSON

extension SessionRoutes {
  /// The route `/sessions/{id}/trace`.
  static let trace = SessionRoute(
    "/sessions/{id}/trace",
    Endpoint(
      .get,
      Operation(
        id: "traceSession",
        tag: "Streams",
        summary: "Follow what happens in a session",
        description: """
          Inputs, actions, errors, effects, alarms and messages, as they are committed, each with the id of its \
          cause where that is known. The session notices nothing; where it sleeps, the stream waits. Among several \
          nodes the stream ends without event: end where the session is another one's now, or the node that has it \
          cannot be asked: then ask again. \
          event: session says what is at work as the stream begins, and whenever the session wakes or falls \
          asleep. The newest 256 KiB can be read again by Last-Event-ID while somebody reads, and half a minute \
          later; event: dropped counts what a slow reader has missed.
          """,
        parameters: ["SessionPath", "LastEventID", "After", "IfSender"],
        optionsParameters: ["AnySessionPath"],
        responses: [
          "200": OpenAPI.answer(
            "A stream that goes on until the session ends; the schema is that of each event.",
            StreamFormats.all.map { ($0.mediaType, $0.schema(of: SessionTraceEvent.shapes)) }
          )
        ],
        problems: [401, 403, 404, 410, 412, 429, 503]
      ),
      claiming: .inspect
    ) { api, claim, _, request, respond throws(Problem) in
      try api.traceSession(claim, request, respond)
    }
  )
}

extension SessionResources {
  /// Opens a stream of a session's trace.
  func traceSession(
    _ claim: Claim,
    _ request: HTTPRequest,
    _ respond: PendingResponse
  ) throws(Problem) {
    try access.watch(claim, respond) { [self] session throws(Problem) in
      switch session.place {
      case .awake: respond(try trace(session, request, opening: nil))
      case .asleep(let stored):
        let opening = try Problem.unwrap(
          Result { () throws(StoreError) in try WireEvent.asleep(stored) }
        )
        respond(try trace(session, request, opening: opening))
      case .elsewhere(let node): try relay(session, request, from: node, respond)
      }
    }
  }

  private func trace(
    _ session: WatchedSession,
    _ request: HTTPRequest,
    opening: WireEvent?
  ) throws(Problem) -> HTTPResponse {
    try stream(request) { format, slot in
      TraceStream(
        of: session,
        in: format,
        after: request.headers["Last-Event-ID"] ?? request.target.first("after"),
        opening: opening,
        login: request.sender?.login,
        streams,
        slot
      )
    }
  }

  /// Forwards another node's trace, or its final refusal; after any other refusal the client retries.
  private func relay(
    _ session: WatchedSession,
    _ request: HTTPRequest,
    from node: Node,
    _ respond: PendingResponse
  ) throws(Problem) {
    // A forwarded request is not forwarded again: the first node looks again when its client retries.
    guard !request.isFromNode else { throw .otherNode }
    guard !node.address.isEmpty else { throw .nodeWithoutAddress }
    session.ask(node, forStreamOf: request) { [self] refusal in
      respond.answer { () throws(Problem) in
        if let refusal { throw refusal }
        let response = try stream(request) { format, slot in
          RelayedStream(in: format, login: request.sender?.login, streams, slot) { take in
            session.stream(request, from: node, take)
          }
        }
        respond(response)
      }
    }
  }

  private func stream(
    _ request: HTTPRequest,
    _ open: (any StreamFormat, ClientSlot?) -> any BodyStream
  ) throws(Problem) -> HTTPResponse {
    let format = StreamFormats.preferred(by: Accept(request.headers.list("Accept")))
    let response = HTTPResponse(200, headers: headers(of: format), body: .stream(UnopenedStream()))
    guard request.method != .head else { return response }
    let slot = try takeStreamSlot(for: request.connection.client)
    guard !host.memory.isFull, streams.reserve() else { return fullResponse(format) }
    let stream = open(format, slot)
    return HTTPResponse(200, headers: headers(of: format), body: .stream(stream))
  }
}
