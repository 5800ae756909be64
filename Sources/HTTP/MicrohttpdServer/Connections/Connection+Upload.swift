import CFusionMicrohttpd
import FusionHTTPMessages
import Glibc
import Synchronization

/// The body of a request whose handler reads it as it arrives.
struct Upload {
  let body: IncomingBody
  /// Whether the body is read and discarded if the response comes before the handler asks for any of it;
  /// otherwise the connection is closed.
  let discardsRest: Bool
  /// Whether the client may pause once the handler asks for the body.
  let mayPause: Bool
  /// Whether the connection has no timeout, as the client may pause now.
  var isUntimed = false
  /// The number of bytes since the client last proved fast enough.
  var count = 0
}

// All on the loop's thread. Each function is a step of the access handler, and returns false to close the
// connection without a response.
extension Connection {
  /// Calls the handler, in the access handler's first call; `length` is nil for chunks.
  func beginUpload(
    _ request: HTTPRequest,
    of length: Int?,
    within limits: IncomingBody.Limits
  ) -> Bool {
    let body = IncomingBody(limit: limits.bytes) { [self] in resume { $0.exchange.release() } }
    var request = request
    request.incoming = body
    local.step = .opening
    // Discarding a short body keeps the connection open, unless the client waits for permission to send it.
    let mayAsk = request.headers["Expect"] != nil
    let isShort = (length ?? .max) <= DiscardedBody.limit
    unsafe upload = Upload(
      body: body,
      discardsRest: isShort && !mayAsk && !limits.mayPause,
      mayPause: limits.mayPause
    )
    local.request = request
    return callHandler { openUpload() }
  }

  /// Admits the body once the handler asks for it, or answers without it: during the access handler's first
  /// call the library still accepts a response.
  ///
  /// Until then, the library does not send 100 (Continue).
  func openUpload() -> Bool {
    guard let upload = unsafe upload else { return false }
    switch hold(upload.body) {
    case .suspended:
      return true
    case .ready:
      if upload.mayPause { beginPausing() }
      startClock()
      local.step = .uploading
      return true
    case .answered where upload.discardsRest:
      upload.body.fail()
      startClock()
      local.step = .discarding(DiscardedBody())
      return true
    case .answered, .ended:
      local.step = .handled
      // The client may send the body anyway.
      local.isLast = true
      local.leavesBody = true
      return sendOrSuspend()
    }
  }

  /// Adds a part to the body; if it does not fit, leaves it to the library and suspends the connection.
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
        // Otherwise the client has the response, and a moment to read it.
        if unsafe upload?.mayPause != true { startClock() }
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

  /// Ends the body, which arrived completely, and waits for the response.
  func finishUpload() -> Bool {
    // Before the handler learns of the end, and answers.
    guarded.withLock { $0.pausing = nil }
    unsafe upload?.body.finish()
    local.step = .handled
    stage.store(Stage(.answering, since: 0), ordering: .sequentiallyConsistent)
    return sendOrSuspend()
  }

  private enum Hold {
    case suspended
    case ready
    case answered
    /// The server is stopping.
    case ended
  }

  /// Suspends the connection until the handler wants more of the body, or has answered.
  private func hold(_ body: IncomingBody) -> Hold {
    guarded.withLock { guarded in
      if guarded.exchange.isAnswered { return .answered }
      // Under the lock, so that the call that asks for more can only come later.
      if body.isReady {
        if unsafe upload?.mayPause == true { guarded.pausing = local.current?.id }
        return .ready
      }
      guard guarded.exchange.hold() else { return .ended }
      // The client is not responsible for the time from here on.
      stage.store(Stage(.answering, since: 0), ordering: .sequentiallyConsistent)
      suspend()
      return .suspended
    }
  }

  /// Restarts the body's deadline for the next bytes.
  private func startClock() {
    unsafe upload?.count = 0
    guard unsafe upload?.mayPause == true else {
      return stage.store(Stage(.body, since: coarseNow()), ordering: .relaxed)
    }
    guarded.withLock { guarded in
      // Otherwise it was answered meanwhile.
      guard guarded.pausing != nil else { return }
      stage.store(Stage(.pausing, since: coarseNow()), ordering: .relaxed)
    }
  }

  /// Allows the client to pause, as long as its system answers (tcp(7), SO_KEEPALIVE).
  ///
  /// The connection has no timeout from here on, and no other request.
  private func beginPausing() {
    local.isLast = true
    unsafe upload?.isUntimed = true
    _ = unsafe cmhd_set_timeout(handle, 0)
    guarded.withLock { guarded in
      for (level, option, value) in [
        (SOL_SOCKET, SO_KEEPALIVE, 1), (Int32(IPPROTO_TCP), TCP_KEEPIDLE, 60),
        (Int32(IPPROTO_TCP), TCP_KEEPINTVL, 15), (Int32(IPPROTO_TCP), TCP_KEEPCNT, 4),
      ] {
        var value = Int32(value)
        _ = unsafe setsockopt(guarded.descriptor, level, option, &value, 4)
      }
    }
  }
}
