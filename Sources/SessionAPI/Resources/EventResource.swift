import HTTPMessages
import Sessions

/// `/sessions/{id}/events`, and `/events` for several sessions.
extension SessionAPI {
  /// How many sessions one stream may have.
  private static var streamSessions: Int { 64 }

  func followSession(_ id: SessionID, _ request: HTTPRequest) throws(Problem) -> HTTPResponse {
    let session = try session(id)
    return follow(
      request,
      StreamOrder(
        sessions: [session],
        isPatching: try wantsPatches(request),
        position: StreamPosition(known(request), ofSeveral: false)
      )
    )
  }

  /// Those that are over are said to be so at once, unless all are.
  func followSessions(_ request: HTTPRequest) throws(Problem) -> HTTPResponse {
    var order = StreamOrder(
      sessions: [],
      isOfSeveral: true,
      isPatching: try wantsPatches(request),
      position: StreamPosition(known(request), ofSeveral: true)
    )
    for name in try namedSessions(request) {
      guard let id = SessionID(name) else { throw .unknownSession.adding("session", name) }
      switch host.find(id) {
      case .live(let session): order.sessions.append(session)
      case .ended(let end): order.ended.append((id, end))
      case .unknown: throw .unknownSession.adding("session", name)
      case .asleep: throw .storeUnreachable.adding("session", name)
      }
    }
    guard !order.sessions.isEmpty else { throw .endedSession }
    return follow(request, order)
  }

  private func namedSessions(_ request: HTTPRequest) throws(Problem) -> [String] {
    var seen: Set<String> = []
    let names = request.target.query.filter { $0.name == "session" }.map(\.value)
      .filter { seen.insert($0).inserted }
    guard !names.isEmpty else {
      throw .invalidQuery("session", "Name the sessions, as in /events?session=A&session=B.")
    }
    guard names.count <= Self.streamSessions else {
      throw .invalidQuery("session", "Name \(Self.streamSessions) sessions at the most.")
    }
    return names
  }

  private func wantsPatches(_ request: HTTPRequest) throws(Problem) -> Bool {
    switch request.target.first("format") {
    case nil: false
    case "patch": true
    default: throw .invalidQuery("format", "Ask for format=patch, or leave it out.")
    }
  }

  /// What the client says it has; the header wins.
  private func known(_ request: HTTPRequest) -> String? {
    request.headers["Last-Event-ID"] ?? request.target.first("after")
  }

  private func follow(_ request: HTTPRequest, _ order: StreamOrder) -> HTTPResponse {
    let headers: HTTPHeaders = [
      "Content-Type": "text/event-stream",
      "Cache-Control": "no-store, no-transform",
      "X-Accel-Buffering": "no",
    ]
    if request.method == .head {
      return HTTPResponse(200, headers: headers, body: .stream(UnopenedStream()))
    }
    guard let stream = streams.open(order) else {
      // An EventSource takes any other status as the end: this one lets it come back by itself.
      var response = HTTPResponse(200, headers: headers)
      response.body = .bytes(ServerSentEvent.retry(milliseconds: 30_000))
      response.headers.append("Connection", "close")
      return response
    }
    return HTTPResponse(200, headers: headers, body: .stream(stream))
  }
}

/// What HEAD asks about: a body whose length nobody knows, of which nothing is sent.
private final class UnopenedStream: BodyStream {
  func opened(wake: @escaping @Sendable () -> Void, cut: @escaping @Sendable () -> Void) {}
  func next() -> BodyStep { .finished }
  func closed() {}
}
