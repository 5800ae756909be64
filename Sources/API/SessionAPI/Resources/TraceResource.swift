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
          cause where that is known, at the node that is asked. The session notices nothing; where it sleeps, the \
          stream waits. \
          event: session says what is at work as the stream begins, and whenever the session wakes or falls \
          asleep. The newest 256 KiB can be read again by Last-Event-ID while somebody reads, and half a minute \
          later; event: dropped counts what a slow reader has missed.
          """,
        parameters: ["SessionPath", "LastEventID", "After", "IfSender"],
        optionsParameters: ["AnySessionPath"],
        responses: [
          "200": OpenAPI.answer(
            "A stream that goes on until the session ends; the schema is that of each event.",
            StreamFormats.all.map { ($0.mediaType, $0.schema(of: traceEvents)) }
          )
        ],
        problems: [401, 403, 404, 410, 412, 429, 503]
      ),
      requiring: .sessionID(nil)
    ) { api, path, request, respond throws(Problem) in
      try api.traceSession(path.sessionID(), request, respond)
    }
  )

  private static let text: JSONTree = ["type": "string"]
  private static let time: JSONTree = ["type": "string", "format": "date-time"]
  private static let effect: JSONTree = [
    "type": "integer", "description": "The number of an effect.",
  ]
  private static let list: JSONTree = ["type": "array", "items": ["type": "object"]]

  private static let traceEvents: [(name: String, members: JSONTree)] = [
    (
      "session",
      ["isAwake": ["type": "boolean", "description": "If so, with `running` and `alarms`."]]
    ),
    ("input", ["input": [:]]),
    ("action", [:]),
    ("error", [:]),
    ("effect", ["effect": effect, "kind": text, "step": text]),
    ("alarm", ["alarm": text, "step": text]),
    ("message", ["step": text, "session": text]),
    ("followed", ["session": text]),
    ("dropped", [:]),
    ("end", ["reason": ["enum": ["deleted", "expired"]]]),
  ]
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
      inspector.read({ try $0.load(id) }) { [self] result in
        respond.answer { () throws(Problem) in
          guard let session = try Problem.of(result), sender.mayUse(session.identity) else {
            throw .unknownSession
          }
          let opening = WireEvent.asleep(session, mayBeElsewhere: host.isShared)
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
    let format = StreamFormats.preferred(by: Accept(request.headers.list("Accept")))
    let response = HTTPResponse(200, headers: headers(of: format), body: .stream(UnopenedStream()))
    guard request.method != .head else { return response }
    let slot: ClientSlot?
    do {
      slot = try clientStreams.take(for: request.connection.client)
    } catch {
      throw .tooManyClientStreams.limited(to: error.limit)
    }
    guard !host.memory.isFull, streams.reserve() else { return fullResponse(format) }
    let stream = TraceStream(
      of: id,
      at: host,
      in: format,
      after: request.headers["Last-Event-ID"] ?? request.target.first("after"),
      opening: opening,
      login: request.sender?.login,
      streams,
      slot
    )
    return HTTPResponse(200, headers: headers(of: format), body: .stream(stream))
  }
}
