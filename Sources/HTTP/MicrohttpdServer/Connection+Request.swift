import CFusionMicrohttpd
import FusionHTTPMessages
import Glibc
import Synchronization

/// A request on its way in. All on the loop's thread.
extension Connection {
  /// URI_LOG_CALLBACK: a request line is complete.
  ///
  /// The only moment at which the query can be had.
  func begin(target bytes: UnsafeBufferPointer<UInt8>) {
    // The sweeper may have seen the head begin; then that is when it began.
    if stage.load(ordering: .relaxed).kind != .head {
      stage.store(Stage(.head, since: coarseNow()), ordering: .relaxed)
    }
    unsafe step = .head
    unsafe targetLength = bytes.count
    guard let start = bytes.baseAddress else { return }
    if unsafe memchr(start, Int32(UInt8(ascii: "?")), bytes.count) != nil {
      unsafe target = Array(bytes)
    }
  }

  /// The end of a request, however it ended; on a kept connection the next one follows.
  func complete() {
    unsafe request = nil
    unsafe current = nil
    unsafe target = []
    unsafe step = .head
    unsafe isHead = false
    stage.store(Stage(.kept, since: coarseNow()), ordering: .relaxed)
  }

  /// The access handler's first call: a head is complete.
  ///
  /// This one and the next four are the steps of a request; false closes the connection without an answer.
  func readHead(_ line: RequestLine) -> Bool {
    if unsafe isSurplus { return reject(.tooManyConnections.limited(to: context.limit.served)) }
    let head = unsafe RequestHead(handle, line, previousFields: previousFields)
    let length = head.contentLength
    let hasBody = head.hasBody
    // Chunks end with a trailer, which the library ends at any line that begins with a colon, too,
    // and tells nothing of it: what follows may be no request of this client's.
    unsafe isLast = head.isChunked
    let result =
      unsafe target.isEmpty
      ? head.request(target: line.url, method: line.method, version: line.version)
      : target.withUnsafeBufferPointer { target in
        unsafe head.request(target: target, method: line.method, version: line.version)
      }
    switch result {
    case .failure(let problem):
      return reject(problem)
    case .success(let request):
      // A byte 0 within the target: the library's string ends before the target does.
      guard unsafe line.targetLength == targetLength else { return reject(.badTarget) }
      unsafe isHead = request.method == .head
      unsafe isChunking = line.version.last == UInt8(ascii: "1")
      unsafe previousFields = request.headers.fields
      unsafe current = (request.id, request.method)
      // Safe at the first call only, where the library still takes an answer.
      guard length <= context.maxBodyBytes else { return reject(tooLarge) }
      unsafe self.request = request
      unsafe self.request?.arrival = arrival
      if unsafe !isChunking { unsafe self.request?.arrival.isHTTP11 = false }
      unsafe step = .body
      // To answer now would close the connection: the library calls again when all has come.
      if hasBody {
        stage.store(Stage(.body, since: coarseNow()), ordering: .relaxed)
        unsafe self.request?.body.reserveCapacity(length)
      }
      return true
    }
  }

  /// A part of the body.
  func receive(_ part: UnsafeBufferPointer<UInt8>) -> Bool {
    let count = unsafe (request?.body.count ?? 0) + part.count
    if count > context.maxBodyBytes {
      unsafe request = nil
      unsafe step = .discarding(0)
    } else {
      unsafe request?.body.append(contentsOf: part)
    }
    return true
  }

  /// A part of a body that is too large; `count` bytes of it are gone already.
  func discard(_ part: UnsafeBufferPointer<UInt8>, after count: Int) -> Bool {
    // What the library cannot answer before it has been read, it need not read for ever.
    unsafe step = .discarding(count + part.count)
    return count + part.count <= discardLimit
  }

  /// All of a body that is too large has come.
  func rejectBody() -> Bool { reject(tooLarge) }

  /// All has come: the handler's turn.
  func answer() -> Bool {
    guard let request = unsafe self.request.take() else { return false }
    unsafe step = .handled
    // Either the stop sees this stage, or this sees that the server stops: never neither.
    stage.store(Stage(.answering, since: 0), ordering: .sequentiallyConsistent)
    guard !context.isRefusing.load(ordering: .sequentiallyConsistent) else {
      return reject(.draining)
    }
    context.handler(request, Responder(self))
    return conclude()
  }

  private var tooLarge: Problem { .contentTooLarge.limited(to: context.maxBodyBytes) }

  private func reject(_ problem: Problem) -> Bool {
    unsafe step = .handled
    stage.store(Stage(.answering, since: 0), ordering: .relaxed)
    return send(problem.closing.response)
  }
}

/// How much of a body that is too large is thrown away before its connection is cut.
private let discardLimit = 1 << 20
