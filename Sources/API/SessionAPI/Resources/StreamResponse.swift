import FusionHTTPMessages
import FusionHTTPToolkit
import FusionMetrics
import FusionSessions

/// The common parts of both event resources.
extension SessionResources {
  /// Returns the stream that a request asks for, without its sessions.
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
      position: position(request, ofSeveral: ofSeveral),
      login: request.loginOfStream ?? request.sender?.login
    )
  }

  /// Returns the client's position; the header takes precedence over the query.
  func position(_ request: HTTPRequest, ofSeveral: Bool) -> StreamPosition {
    StreamPosition(
      request.headers["Last-Event-ID"] ?? request.target.first("after"),
      ofSeveral: ofSeveral
    )
  }

  private func wantsPatches(_ request: HTTPRequest) throws(Problem) -> Bool {
    switch request.target.first("format") {
    case nil: false
    case "patch": true
    default:
      throw .invalidQuery.filled(with: "Ask for format=patch, or leave it out.").naming("format")
    }
  }

  /// Returns the response with a stream; an empty one if there are too many streams, or too little memory.
  func follow(
    _ request: HTTPRequest,
    _ subscription: StreamSubscription
  ) throws(Problem) -> HTTPResponse {
    if request.method == .head {
      return HTTPResponse(200, headers: headers(of: subscription), body: .stream(UnopenedStream()))
    }
    return try open(subscription, for: request.connection.client)
      ?? fullResponse(subscription.format)
  }

  /// Opens a stream; returns nil if there are too many streams, or too little memory.
  func open(
    _ subscription: StreamSubscription,
    for client: IPAddress?
  ) throws(Problem) -> HTTPResponse? {
    var subscription = subscription
    guard subscription.sessions.allSatisfy({ (try? $0.requireMemory(forBody: 0)) != nil }) else {
      streams.metrics.refusedForMemory.add()
      return nil
    }
    subscription.slot = try takeStreamSlot(for: client)
    guard let stream = streams.open(subscription) else { return nil }
    return HTTPResponse(200, headers: headers(of: subscription), body: .stream(stream))
  }

  func takeStreamSlot(for client: IPAddress?) throws(Problem) -> ClientSlot? {
    do {
      return try clientStreams.take(for: client)
    } catch {
      throw .tooManyClientStreams.limited(to: error.limit)
    }
  }

  /// Returns the response to a request for a stream whose session cannot be woken.
  func refuseStream(
    _ request: HTTPRequest,
    ofSeveral: Bool,
    _ failure: WakeFailure
  ) throws(Problem) -> HTTPResponse {
    guard case .memoryFull = failure else { throw Problem(failure) }
    let format = try subscription(request, ofSeveral: ofSeveral).format
    streams.metrics.refusedForMemory.add()
    return fullResponse(format)
  }

  private func headers(of subscription: StreamSubscription) -> HTTPHeaders {
    var headers = headers(of: subscription.format)
    if subscription.isCompressed { headers.append("Content-Encoding", "gzip") }
    return headers
  }

  func headers(of format: some StreamFormat) -> HTTPHeaders {
    [
      "Content-Type": format.mediaType,
      "Cache-Control": "no-store, no-transform",
      "X-Accel-Buffering": "no",
      "Vary": "Accept, Accept-Encoding",
    ]
  }

  /// Returns an empty stream that asks its client to retry: an `EventSource` would treat any other status as
  /// the end.
  func fullResponse(_ format: some StreamFormat) -> HTTPResponse {
    var response = HTTPResponse(200, headers: headers(of: format))
    response.body = .bytes(format.onlyRetry(afterMilliseconds: 30_000))
    // For clients of formats without retry.
    response.headers.append("Retry-After", "30")
    response.headers.append("Connection", "close")
    return response
  }
}

/// The body that `HEAD` describes: of unknown length, and never sent.
final class UnopenedStream: BodyStream {
  func opened(wake: @escaping @Sendable () -> Void, cut: @escaping @Sendable () -> Void) {}
  func next() -> BodyStep { .finished }
  func closed() {}
}
