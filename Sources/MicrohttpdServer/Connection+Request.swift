import CMicrohttpd
import Glibc
import HTTPMessages
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

  /// The access handler: the head, then each part of the body, then the end; and once more when a
  /// suspended connection was resumed.
  ///
  /// False closes the connection without an answer.
  func proceed(_ call: AccessCall) -> Bool {
    switch unsafe step {
    case .head:
      return readHead(call)
    case .body:
      guard let part = unsafe call.part else { return answer() }
      return unsafe receive(part)
    case .discarding(let count):
      guard let part = unsafe call.part else { return reject(tooLarge) }
      // What the library cannot answer before it has been read, it need not read for ever.
      unsafe step = .discarding(count + part.count)
      return count + part.count <= discardLimit
    case .handled:
      return conclude()
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

  private func readHead(_ call: AccessCall) -> Bool {
    if unsafe isSurplus { return reject(.tooManyConnections) }
    let head = unsafe RequestHead(handle, call, previousFields: previousFields)
    let length = head.contentLength
    let hasBody = head.hasBody
    // Chunks end with a trailer, which the library ends at any line that begins with a colon, too,
    // and tells nothing of it: what follows may be no request of this client's.
    unsafe isLast = head.isChunked
    let result =
      unsafe target.isEmpty
      ? head.request(target: call.url, method: call.method, version: call.version)
      : target.withUnsafeBufferPointer { target in
        unsafe head.request(target: target, method: call.method, version: call.version)
      }
    switch result {
    case .failure(let problem):
      return reject(problem)
    case .success(let request):
      // A byte 0 within the target: the library's string ends before the target does.
      guard unsafe call.targetLength == targetLength else { return reject(.badTarget) }
      unsafe isHead = request.method == .head
      unsafe isChunking = call.version.last == UInt8(ascii: "1")
      unsafe previousFields = request.headers.fields
      unsafe current = (request.id, request.method)
      // Safe at the first call only, where the library still takes an answer.
      guard length <= context.maxBodyBytes else { return reject(tooLarge) }
      unsafe self.request = request
      unsafe step = .body
      // To answer now would close the connection: the library calls again when all has come.
      if hasBody {
        stage.store(Stage(.body, since: coarseNow()), ordering: .relaxed)
        unsafe self.request?.body.reserveCapacity(length)
      }
      return true
    }
  }

  private func receive(_ part: UnsafeBufferPointer<UInt8>) -> Bool {
    let count = unsafe (request?.body.count ?? 0) + part.count
    if count > context.maxBodyBytes {
      unsafe request = nil
      unsafe step = .discarding(0)
    } else {
      unsafe request?.body.append(contentsOf: part)
    }
    return true
  }

  /// All has come: the handler's turn.
  private func answer() -> Bool {
    guard let request = unsafe request else { return false }
    unsafe self.request = nil
    unsafe step = .handled
    // Either the stop sees this stage, or this sees that the server stops: never neither.
    stage.store(Stage(.answering, since: 0), ordering: .sequentiallyConsistent)
    guard !context.isRefusing.load(ordering: .sequentiallyConsistent) else {
      return reject(.draining)
    }
    let responder = Responder(self)
    context.handler(request) { response in responder.respond(response) }
    return conclude()
  }

  private var tooLarge: Problem { .contentTooLarge(limit: context.maxBodyBytes) }

  private func reject(_ problem: Problem) -> Bool {
    unsafe step = .handled
    stage.store(Stage(.answering, since: 0), ordering: .relaxed)
    return send(problem.closing.response)
  }
}

/// How much of a body that is too large is thrown away before its connection is cut.
private let discardLimit = 1 << 20

/// The arguments of one call of the library's access handler, valid during that call.
@safe struct AccessCall {
  let url: UnsafeBufferPointer<UInt8>
  let method: UnsafeBufferPointer<UInt8>
  let version: UnsafeBufferPointer<UInt8>
  /// What came of the body; nil where this call is not about the body.
  let part: UnsafeBufferPointer<UInt8>?
  /// How long the target was on the wire: the version stands right behind it.
  let targetLength: Int
  /// Whether the method ends where the library says, at a space: it takes NUL for an end, too.
  let hasWholeMethod: Bool
}

/// Whether a target begins behind a method and spaces alone, the first of which the library has made
/// the method's end.
private func isBehind(
  _ method: UnsafeBufferPointer<UInt8>,
  _ target: UnsafePointer<CChar>?
) -> Bool {
  guard let start = method.baseAddress, let target = unsafe target else { return false }
  let gap = Int(bitPattern: target) - Int(bitPattern: start) - method.count
  guard gap > 1 else { return gap == 1 }
  let spaces = unsafe UnsafeBufferPointer(start: start + method.count + 1, count: gap - 1)
  return unsafe spaces.allSatisfy { $0 == UInt8(ascii: " ") }
}

extension AccessCall {
  init(
    _ url: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?,
    _ version: UnsafePointer<CChar>?,
    _ data: UnsafePointer<CChar>?,
    _ size: Int
  ) {
    unsafe self.url = bytes(url, url.map { unsafe strlen($0) } ?? 0)
    unsafe self.method = bytes(method, method.map { unsafe strlen($0) } ?? 0)
    unsafe self.version = bytes(version, version.map { unsafe strlen($0) } ?? 0)
    unsafe part = size > 0 ? bytes(data, size) : nil
    targetLength = Int(bitPattern: version) - Int(bitPattern: url) - 1
    hasWholeMethod = unsafe isBehind(self.method, url)
  }
}
