import CFusionMicrohttpd
import FusionHTTPMessages
import Synchronization

/// An answer on its way out. All on the loop's thread, but for ``answer(_:)``.
extension Connection {
  /// An answer from the handler.
  ///
  /// Any thread; only the first for a request counts.
  func answer(_ response: HTTPResponse) {
    resume { $0.exchange.answer(response) }
  }

  /// Sends the answer if there is one, else suspends the connection until there is.
  func conclude() -> Bool {
    let response: HTTPResponse? = guarded.withLock { guarded in
      switch guarded.exchange.conclude() {
      case .answer(let response):
        return response
      case .suspend:
        // Under the lock: a resume can only come after it.
        unsafe MHD_suspend_connection(handle)
        return nil
      case .nothing:
        return nil
      }
    }
    guard let response else { return true }
    return send(response)
  }

  /// Hands a response to the library; false where that takes it no more.
  func send(_ response: HTTPResponse) -> Bool {
    stage.store(Stage(.sending, since: coarseNow()), ordering: .relaxed)
    // 1xx ends no request, and would leave the client waiting (RFC 9110 §15.2).
    guard 200...999 ~= response.status else { return send(Problem.noAnswer.closing.response) }
    let isBodiless = unsafe isHead || response.status == 204 || response.status == 304
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
    case .late(let answer):
      return send(answer.complete(response))
    case .stream(let stream):
      if isBodiless { return send(response, bodilessReply(to: response), closing: true) }
      return send(response, opening: stream)
    }
  }

  /// The answer for a problem that comes from here: whoever hosts the server may add to it.
  private func written(_ problem: Problem) -> HTTPResponse {
    let current = unsafe self.current ?? (id: .new(), method: nil)
    unsafe self.current = current
    var response = context.rejecting(
      RejectedRequest(
        problem,
        id: current.id,
        method: current.method,
        headers: current.method == nil ? [:] : unsafe HTTPHeaders(previousFields),
        arrival: arrival
      )
    )
    if case .problem(let problem) = response.body { response.body = .bytes(problem.document()) }
    return response
  }

  /// To HEAD, and with a status that has no body: at the most says how long the body would be.
  private func bodilessReply(to response: HTTPResponse) -> Reply? {
    // RFC 9110 §8.6: no Content-Length either, which the library sees to.
    if response.status == 204 { return Reply([]) }
    let count = response.body.count
    let length = count == 0 ? declaredLength(response) : count ?? declaredLength(response)
    return Reply(withoutBodyOf: response.status == 304 || count == nil ? length : length ?? 0)
  }

  private func send(_ response: HTTPResponse, opening stream: any BodyStream) -> Bool {
    guarded.withLock { $0.exchange.stream() }
    stage.store(Stage(.streaming, since: 0), ordering: .relaxed)
    // No request follows a stream, which may rest for hours.
    unsafe previousFields = []
    // From here on `endStream` is called by the library, whatever becomes of the response.
    guard let reply = unsafe Reply(streamOf: self, isChunked: isChunking) else { return false }
    if context.takesOverStreams {
      let loop = context.loops.loop(forAffinity: stream.affinity) ?? loop
      let successor = unsafe StreamSocket(stream, on: loop, isChunking: isChunking)
      unsafe self.successor = successor
      successor.open()
    } else {
      unsafe reader = StreamReader(stream)
      stream.opened(wake: { [self] in wake() }, cut: { [self] in abandon() })
    }
    return send(response, reply, closing: true)
  }

  private func send(
    _ response: HTTPResponse,
    _ reply: consuming Reply?,
    closing: Bool = false
  ) -> Bool {
    guard let reply else { return false }
    let isClosing =
      unsafe closing || isLast || loop.isRetired || context.isDraining.load(ordering: .relaxed)
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
        context.log("a response header that HTTP does not allow was left out: \(field.name)")
      }
    }
    for header in unsafe context.headers.all where !header.isAmong(response.headers.fields) {
      reply.add(header)
    }
    let id = unsafe current?.id ?? .new()
    unsafe current = nil
    _ = reply.add(RequestID.header, id.description)
    if isClosing, !saysConnection { _ = reply.add("Connection", "close") }
    return unsafe reply.queue(on: handle, status: response.status)
  }
}

extension Problem {
  /// After which the connection is not used any more.
  var closing: Problem { with("Connection", "close") }
}

/// Content-Length as the handler gave it: how long the body would be that is not sent.
private func declaredLength(_ response: HTTPResponse) -> Int? {
  response.headers["Content-Length"].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
}

/// One request's right to an answer: the first use counts, and letting go of it unused is one, too.
///
/// The handler is its only owner but for the moment of the call.
final class Responder: HTTPResponder {
  private let connection: Connection
  private let isUsed = Atomic(false)

  init(_ connection: Connection) {
    self.connection = connection
  }

  func callAsFunction(_ response: consuming HTTPResponse) {
    guard !isUsed.exchange(true, ordering: .relaxed) else { return }
    connection.answer(response)
  }

  deinit {
    if !isUsed.load(ordering: .relaxed) { connection.answer(Problem.noAnswer.closing.response) }
  }
}
