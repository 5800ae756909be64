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
      requiring: .sessionID(nil)
    ) { api, path, request, respond throws(Problem) in
      try api.traceSession(path.sessionID(), request, respond)
    }
  )
}

extension SessionResources {
  /// Opens a stream of a session's trace.
  func traceSession(
    _ id: SessionID,
    _ request: HTTPRequest,
    _ respond: PendingResponse
  ) throws(Problem) {
    let sender = request.sender
    switch host.peek(id) {
    case .ended: throw .endedSession
    case .unknown: throw .unknownSession
    case .live(let session):
      guard sender.mayUse(session.identity) else { throw .unknownSession }
      respond(try trace(id, request, opening: nil))
    case .asleep:
      guard let inspector else { throw .unknownSession }
      inspector.read({ (try $0.load(id), try $0.owner(of: id)) }) { [self] result in
        respond.answer { () throws(Problem) in
          let (session, owner) = try Problem.unwrap(result)
          guard let session, sender.mayUse(session.identity) else { throw .unknownSession }
          if let owner, owner.number != host.node?.number {
            return try trace(request, from: owner, respond)
          }
          let opening = try Problem.unwrap(
            Result { () throws(StoreError) in try WireEvent.asleep(session) }
          )
          respond(try trace(id, request, opening: opening))
        }
      }
    }
  }

  private func trace(
    _ id: SessionID,
    _ request: HTTPRequest,
    opening: WireEvent?
  ) throws(Problem) -> HTTPResponse {
    try stream(request) { format, slot in
      TraceStream(
        of: id,
        at: host,
        inspector,
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
  private func trace(
    _ request: HTTPRequest,
    from node: Node,
    _ respond: PendingResponse
  ) throws(Problem) {
    // A forwarded request is not forwarded again: the first node looks again when its client retries.
    guard !request.isFromNode else { throw .otherNode }
    guard !node.address.isEmpty else { throw .nodeWithoutAddress }
    locator.ask(node, forStreamOf: request) { [self] refusal in
      respond.answer { () throws(Problem) in
        if let refusal { throw refusal }
        let response = try stream(request) { format, slot in
          RelayedStream(in: format, login: request.sender?.login, streams, slot) { [locator] take in
            locator.stream(request, from: node, take)
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
