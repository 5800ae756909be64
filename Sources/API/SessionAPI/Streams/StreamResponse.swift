import FusionHTTPMessages
import FusionMetrics
import FusionSessions

/// What both resources of events have in common.
extension SessionAPI {
  /// What the request asks for, but for the sessions.
  func subscription(
    _ request: HTTPRequest,
    ofSeveral: Bool
  ) throws(Problem) -> StreamSubscription {
    StreamSubscription(
      sessions: [],
      isOfSeveral: ofSeveral,
      isPatching: try wantsPatches(request),
      isCompressed: AcceptedCodings(request.headers.list("Accept-Encoding")).preferGzip,
      format: StreamFormats.preferred(by: Accept(request.headers.list("Accept"))),
      // What the client says it has; the header wins.
      position: StreamPosition(
        request.headers["Last-Event-ID"] ?? request.target.first("after"),
        ofSeveral: ofSeveral
      )
    )
  }

  private func wantsPatches(_ request: HTTPRequest) throws(Problem) -> Bool {
    switch request.target.first("format") {
    case nil: false
    case "patch": true
    default: throw .invalidQuery("format", "Ask for format=patch, or leave it out.")
    }
  }

  func follow(
    _ request: HTTPRequest,
    _ subscription: StreamSubscription
  ) throws(Problem) -> HTTPResponse {
    var subscription = subscription
    var headers = headers(of: subscription.format)
    let plain = headers
    if subscription.isCompressed { headers.append("Content-Encoding", "gzip") }
    if request.method == .head {
      return HTTPResponse(200, headers: headers, body: .stream(UnopenedStream()))
    }
    guard subscription.sessions.allSatisfy({ (try? $0.requireMemory(forBody: 0)) != nil }) else {
      streams.metrics.refusedForMemory.add()
      return fullResponse(plain, subscription.format)
    }
    do {
      subscription.place = try clientStreams.take(for: request.connection.client)
    } catch {
      throw .tooManyClientStreams(limit: error.limit)
    }
    guard let stream = streams.open(subscription) else {
      return fullResponse(plain, subscription.format)
    }
    return HTTPResponse(200, headers: headers, body: .stream(stream))
  }

  /// The answer where a session cannot be woken.
  func refuseStream(
    _ request: HTTPRequest,
    ofSeveral: Bool,
    _ failure: WakeFailure
  ) throws(Problem) -> HTTPResponse {
    guard case .memoryFull = failure else { throw Problem(failure) }
    let format = try subscription(request, ofSeveral: ofSeveral).format
    streams.metrics.refusedForMemory.add()
    return fullResponse(headers(of: format), format)
  }

  private func headers(of format: some StreamFormat) -> HTTPHeaders {
    [
      "Content-Type": format.mediaType,
      "Cache-Control": "no-store, no-transform",
      "X-Accel-Buffering": "no",
      "Vary": "Accept, Accept-Encoding",
    ]
  }

  /// An EventSource takes any other status as the end: this one lets it come back by itself.
  private func fullResponse(_ headers: HTTPHeaders, _ format: some StreamFormat) -> HTTPResponse {
    if format is NodeFormat { return Problem.unreachableNode.response }
    var response = HTTPResponse(200, headers: headers)
    response.body = .bytes(format.retry(afterMilliseconds: 30_000))
    // For clients of a format that has no words for it.
    response.headers.append("Retry-After", "30")
    response.headers.append("Connection", "close")
    return response
  }
}

/// What HEAD asks about: a body whose length nobody knows, of which nothing is sent.
private final class UnopenedStream: BodyStream {
  func opened(wake: @escaping @Sendable () -> Void, cut: @escaping @Sendable () -> Void) {}
  func next() -> BodyStep { .finished }
  func closed() {}
}
