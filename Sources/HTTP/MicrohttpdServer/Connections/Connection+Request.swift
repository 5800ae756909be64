import CFusionMicrohttpd
import FusionHTTPMessages
import Glibc
import Synchronization

// A request on its way in; all on the loop's thread. Each function but `begin` and `complete` is a step of the access
// handler, and returns false to close the connection without a response.
extension Connection {
  /// Handles a complete request line (URI_LOG_CALLBACK), the only moment at which the query is available.
  func begin(target bytes: UnsafeBufferPointer<UInt8>) {
    // The deadline monitor may have noticed the head before: its time is then the start.
    if stage.load(ordering: .relaxed).kind != .head {
      stage.store(Stage(.head, since: coarseNow()), ordering: .relaxed)
    }
    local.step = .head
    local.targetLength = bytes.count
    guard let start = bytes.baseAddress else { return }
    if unsafe memchr(start, Int32(UInt8(ascii: "?")), bytes.count) != nil {
      local.target = unsafe Array(bytes)
    }
  }

  /// Ends a request, with or without success; on a kept connection the next one may follow.
  func complete() {
    local.request = nil
    unsafe upload?.body.fail()
    unsafe upload = nil
    local.current = nil
    local.target = []
    local.step = .head
    local.isHead = false
    stage.store(Stage(.kept, since: coarseNow()), ordering: .relaxed)
  }

  /// Reads a complete head, in the access handler's first call.
  func readHead(_ line: RequestLine) -> Bool {
    if local.isSurplus { return reject(.tooManyConnections.limited(to: context.limit.served)) }
    let head = unsafe RequestHead(handle, line, previousFields: local.previousFields)
    let length = head.contentLength
    let hasBody = head.hasBody
    local.isLast = ChunkedTrailer.closesConnection(isChunked: head.isChunked)
    do throws(Problem) {
      var request =
        unsafe local.target.isEmpty
        ? try head.request(target: line.url, method: line.method, version: line.version)
        : try local.target.withUnsafeBufferPointer { target throws(Problem) in
          unsafe try head.request(target: target, method: line.method, version: line.version)
        }
      guard line.layout.targetLength == local.targetLength else { throw .badTarget }
      local.isHead = request.method == .head
      local.isChunking = unsafe line.version.last == UInt8(ascii: "1")
      local.previousFields = request.headers.fields
      local.current = (request.id, request.method)
      let streamed = hasBody ? context.settings.streamedBody(request) : nil
      let limit = streamed?.bytes ?? context.settings.maxBodyBytes
      // Only in the first call: the library accepts no response later.
      guard length <= limit else {
        local.leavesBody = true
        throw .contentTooLarge.limited(to: limit)
      }
      request.connection = info
      if !local.isChunking { request.connection.isHTTP11 = false }
      if let streamed {
        return beginUpload(request, of: head.isChunked ? nil : length, within: streamed)
      }
      local.step = .body
      // Calling the handler here would close the connection: the library calls again at the end of the
      // request.
      if hasBody {
        stage.store(Stage(.body, since: coarseNow()), ordering: .relaxed)
        request.body.reserveCapacity(length)
      }
      local.request = request
      return true
    } catch {
      return reject(error)
    }
  }

  /// Takes a part of the body.
  func receive(_ part: UnsafeBufferPointer<UInt8>) -> Bool {
    unsafe local.append(part, upTo: context.settings.maxBodyBytes)
    return true
  }

  /// Discards a part of a body that is too large.
  func discard(_ part: UnsafeBufferPointer<UInt8>, of body: DiscardedBody) -> Bool {
    var body = body
    defer { local.step = .discarding(body) }
    return body.take(part.count)
  }

  /// Answers a request whose discarded body has ended.
  func endDiscarded() -> Bool {
    if unsafe upload != nil { return finishUpload() }
    return reject(.contentTooLarge.limited(to: context.settings.maxBodyBytes))
  }

  /// Calls the handler, once the request is complete.
  func answer() -> Bool {
    local.step = .handled
    return callHandler { sendOrSuspend() }
  }

  /// Calls the handler and then `goOn`; rejects the request instead if the server is stopping.
  func callHandler(then goOn: () -> Bool) -> Bool {
    guard let request = local.request.take() else { return false }
    // Sequentially consistent: either the stop sees this stage, or this thread sees that the server is
    // stopping.
    stage.store(Stage(.answering, since: 0), ordering: .sequentiallyConsistent)
    guard !context.isRefusing.load(ordering: .sequentiallyConsistent) else {
      return reject(.draining)
    }
    context.handler(request, Responder(self))
    return goOn()
  }

  private func reject(_ problem: Problem) -> Bool {
    local.step = .handled
    stage.store(Stage(.answering, since: 0), ordering: .relaxed)
    return send(problem.closing.response)
  }
}

/// The handler's only way to answer a request: the first call counts, and releasing an unused responder
/// answers 500.
///
/// The handler is its only owner, except during the handler's call.
private final class Responder: HTTPResponder {
  private let connection: Connection
  private let isUsed = Atomic(false)

  init(_ connection: Connection) {
    self.connection = connection
  }

  func callAsFunction(_ response: consuming HTTPResponse) {
    guard !isUsed.exchange(true, ordering: .relaxed) else { return }
    connection.answer(response)
  }

  func whenClientLeaves(_ act: @escaping @Sendable () -> Void) {
    let hasLeft = connection.guarded.withLock { guarded in
      // Under the lock: an answer that comes later removes the function before the next request.
      guard !isUsed.load(ordering: .relaxed) else { return false }
      if guarded.descriptor >= 0 { guarded.onLeaving = act }
      return guarded.descriptor < 0
    }
    if hasLeft { act() }
  }

  deinit {
    if !isUsed.load(ordering: .relaxed) { connection.answer(Problem.noAnswer.closing.response) }
  }
}
