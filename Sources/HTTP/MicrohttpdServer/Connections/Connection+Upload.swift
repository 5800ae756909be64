import CFusionMicrohttpd
import FusionHTTPMessages
import Glibc
import Synchronization

/// The body of a request whose handler reads it as it arrives.
struct Upload {
  let body: IncomingBody
  /// Whether the body is thrown away where the response comes first, and not left out.
  let discardsRest: Bool
  /// Bytes that have come since the client was last found quick enough.
  var count = 0
}

// All on the loop's thread. Each function is a step of the access handler, and returns false to close the connection
// without a response.
extension Connection {
  /// Calls the handler, in the access handler's first call; `length` is nil for chunks.
  func beginUpload(of length: Int?, limit: Int) -> Bool {
    let body = IncomingBody(limit: limit) { [self] in resume { $0.exchange.release() } }
    unsafe request?.incoming = body
    unsafe step = .opening
    // What is thrown away anyway need not cost the connection, unless the client asks first.
    let mayAsk = unsafe request?.headers["Expect"] != nil
    let isShort = (length ?? .max) <= DiscardedBody.limit
    unsafe upload = Upload(body: body, discardsRest: isShort && !mayAsk)
    return callHandler { openUpload() }
  }

  /// Admits the body once it is asked for, or answers without it: as long as the connection is in the access handler's
  /// first call, the library accepts a response.
  ///
  /// Until then, the library does not send 100 (Continue).
  func openUpload() -> Bool {
    guard let upload = unsafe upload else { return false }
    switch hold(upload.body) {
    case .suspended:
      return true
    case .ready:
      startClock()
      unsafe step = .uploading
      return true
    case .answered where upload.discardsRest:
      upload.body.fail()
      startClock()
      unsafe step = .discarding(DiscardedBody())
      return true
    case .answered, .ended:
      unsafe step = .handled
      // The body may follow all the same.
      unsafe isLast = true
      unsafe leavesBody = true
      return sendOrSuspend()
    }
  }

  /// Takes a part of the body; one that finds no room is left to the library, and the connection suspended.
  func receive(_ part: UnsafeBufferPointer<UInt8>, leaving rest: inout Int) -> Bool {
    guard let body = unsafe upload?.body else { return false }
    while true {
      if guarded.withLock({ $0.exchange.isAnswered }) { body.fail() }
      switch unsafe body.take(part) {
      case .taken:
        unsafe upload?.count += part.count
        let isWaiting = stage.load(ordering: .relaxed).kind == .answering
        let isQuick = unsafe (upload?.count ?? 0) >= context.leastUpload
        if isWaiting || isQuick { startClock() }
        return true
      case .unwanted:
        startClock()
        return unsafe discard(part, of: DiscardedBody())
      case .full:
        switch hold(body) {
        case .ready, .answered:
          continue
        case .suspended:
          rest = part.count
          return true
        case .ended:
          return false
        }
      }
    }
  }

  /// Ends the body, which has come in full, and waits for the response.
  func finishUpload() -> Bool {
    unsafe upload?.body.finish()
    unsafe step = .handled
    stage.store(Stage(.answering, since: 0), ordering: .sequentiallyConsistent)
    return sendOrSuspend()
  }

  private enum Hold {
    case suspended
    case ready
    case answered
    /// The server stops.
    case ended
  }

  /// Suspends the connection until more of the body is of use.
  private func hold(_ body: IncomingBody) -> Hold {
    guarded.withLock { guarded in
      if guarded.exchange.isAnswered { return .answered }
      // Under the lock: the call that wants more can only come after it.
      if body.isReady { return .ready }
      guard guarded.exchange.hold() else { return .ended }
      // The client is not to blame for the time from here on.
      stage.store(Stage(.answering, since: 0), ordering: .sequentiallyConsistent)
      unsafe MHD_suspend_connection(handle)
      return .suspended
    }
  }

  /// Gives the client the time of a body for the next bytes.
  private func startClock() {
    unsafe upload?.count = 0
    stage.store(Stage(.body, since: coarseNow()), ordering: .relaxed)
  }
}
