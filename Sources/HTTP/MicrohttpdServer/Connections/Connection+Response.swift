import CFusionMicrohttpd
import FusionHTTPMessages
import Synchronization

// The response of a request; all on the loop's thread, except `answer`.
extension Connection {
  /// Takes the handler's response.
  ///
  /// Any thread; only the first response to a request counts.
  func answer(_ response: HTTPResponse) {
    // Released outside the lock, since it may hold the last reference to a responder.
    var onLeaving: (@Sendable () -> Void)?
    resume { guarded in
      onLeaving = guarded.onLeaving.take()
      let isResumed = guarded.exchange.answer(response)
      if let id = guarded.pausing.take() {
        guarded.isSentEarly = sendEarly(response, to: id, on: guarded)
      }
      return isResumed
    }
    withExtendedLifetime(onLeaving) {}
  }

  /// Sends a response before the request's body has ended; if that fails, cuts the connection and returns false.
  ///
  /// The client then has as long as for a head to close the connection. Over TLS, the library alone can send.
  private func sendEarly(_ response: HTTPResponse, to id: RequestID, on guarded: Guarded) -> Bool {
    stage.store(Stage(.head, since: coarseNow()), ordering: .relaxed)
    var response = response
    for field in context.settings.responseHeaders where response.headers[field.name] == nil {
      response.headers.append(field.name, field.value)
    }
    response.headers[RequestID.header] = id.description
    if !context.isEncrypted, EarlyResponse.send(response, on: guarded.descriptor) { return true }
    guarded.cut(isDiscarding: false)
    return false
  }

  /// Sends the response if there is one; otherwise suspends the connection until there is.
  func sendOrSuspend() -> Bool {
    let response: HTTPResponse? = guarded.withLock { guarded in
      switch guarded.exchange.next() {
      case .send(let response):
        return response
      case .suspend:
        suspend()
        return nil
      case .nothing:
        return nil
      }
    }
    guard let response else { return true }
    return send(response)
  }

  /// Passes a response to the library; returns false if the library does not accept it.
  func send(_ response: HTTPResponse) -> Bool {
    stage.store(Stage(.sending, since: coarseNow()), ordering: .relaxed)
    // A 1xx does not end a request, and would leave the client waiting (RFC 9110 §15.2).
    guard 200...999 ~= response.status else { return send(Problem.noAnswer.closing.response) }
    let isBodiless = local.isHead || response.status == 204 || response.status == 304
    switch response.body {
    case .bytes(let bytes):
      return send(response, isBodiless ? bodilessReply(to: response) : Reply(bytes))
    case .shared(let bytes):
      return send(response, isBodiless ? bodilessReply(to: response) : Reply(bytes))
    case .source(let source, let part):
      let cut: @Sendable () -> Void = { [self] in self.cut() }
      let reply = isBodiless ? bodilessReply(to: response) : .reading(source, part, cut: cut)
      return send(response, reply)
    case .problem(let problem):
      return send(written(problem))
    case .deferred(let deferred):
      return send(deferred.complete(response))
    case .stream(let stream):
      if isBodiless { return send(response, bodilessReply(to: response), closing: true) }
      return send(response, opening: stream)
    }
  }

  /// Returns the configuration's response for a problem of the server.
  private func written(_ problem: Problem) -> HTTPResponse {
    let current = local.current ?? (id: .new(), method: nil)
    local.current = current
    var response = context.settings.rejecting(
      RejectedRequest(
        problem,
        id: current.id,
        method: current.method,
        headers: current.method == nil ? [:] : HTTPHeaders(local.previousFields),
        connection: info
      )
    )
    if case .problem(let problem) = response.body { response.body = .bytes(problem.document()) }
    return response
  }

  /// Returns the reply to HEAD, or for a status without a body.
  private func bodilessReply(to response: HTTPResponse) -> Reply? {
    // RFC 9110 §8.6: without Content-Length, which the library omits.
    if response.status == 204 { return Reply([]) }
    let count = response.body.count
    let length = count == 0 ? declaredLength(response) : count ?? declaredLength(response)
    return Reply(withoutBodyOf: response.status == 304 || count == nil ? length : length ?? 0)
  }

  /// Adds the header fields to a reply and queues it.
  func send(
    _ response: HTTPResponse,
    _ reply: consuming Reply?,
    closing: Bool = false
  ) -> Bool {
    guard let reply else { return false }
    let isClosing =
      closing || local.isLast || loop.isRetired || context.isDraining.load(ordering: .relaxed)
    var saysConnection = false
    for field in response.headers.fields {
      switch field.name.utf8.count {
      case 14 where field.isNamed("Content-Length"), 17 where field.isNamed("Transfer-Encoding"):
        continue
      case 10 where field.isNamed("Connection"):
        if isClosing { continue }
        saysConnection = true
      default:
        break
      }
      if !reply.add(field.name, field.value) {
        context.settings.log(
          "a response header that HTTP does not allow was left out: \(field.name)"
        )
      }
    }
    for header in context.headers.all where !header.isAmong(response.headers.fields) {
      reply.add(header)
    }
    let id = local.current.take()?.id ?? .new()
    _ = reply.add(RequestID.header, id.description)
    if isClosing, !saysConnection { _ = reply.add("Connection", "close") }
    return unsafe reply.queue(on: handle, status: response.status)
  }
}

extension Problem {
  /// The problem with `Connection: close`.
  var closing: Problem { with("Connection", "close") }
}

/// Returns the Content-Length that the handler set for a body that is not sent.
private func declaredLength(_ response: HTTPResponse) -> Int? {
  response.headers["Content-Length"].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
}
