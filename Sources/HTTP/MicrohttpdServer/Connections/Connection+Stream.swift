import CFusionMicrohttpd
import FusionHTTPMessages
import Synchronization

// A streamed response; all on the loop's thread.
extension Connection {
  /// Sends a stream: a loop takes over its socket once the head is sent, or the library writes it.
  func send(_ response: HTTPResponse, opening stream: any BodyStream) -> Bool {
    guarded.withLock { $0.exchange.beginStream() }
    stage.store(Stage(.streaming, since: 0), ordering: .relaxed)
    // No request follows a stream, which may be idle for hours.
    local.previousFields = []
    // From here on the library calls `endStream`, whatever happens to the response. A chunked body is read
    // into the connection's memory, so its own buffer can be tiny.
    let reply = unsafe Reply(
      count: nil,
      buffer: local.isChunking ? 16 : 4096,
      context: self,
      read: readStreamCallback,
      release: endStreamCallback
    )
    guard let reply else { return false }
    if context.takesOverStreams {
      let loop = context.loops.loop(forAffinity: stream.affinity) ?? loop
      let successor = StreamSocket(stream, on: loop, isChunking: local.isChunking)
      local.successor = successor
      successor.open()
    } else {
      local.reader = StreamReader(stream)
      stream.opened(wake: { [self] in wake() }, cut: { [self] in cancelStream() })
    }
    return send(response, reply, closing: true)
  }

  /// Fills the library's buffer once the head is sent; returns the number of bytes, or the library's code for
  /// an end.
  ///
  /// Returns 0 only if it has just suspended the connection; otherwise the library would ask again endlessly.
  fileprivate func readStream(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    if let successor = local.successor { return handOver(to: successor) }
    while true {
      switch unsafe local.fill(buffer, isEnding: context.isClosing) ?? .finished {
      case .wrote(let count): return count
      case .finished: return cmhd_end_of_stream
      case .failed: return failStream()
      case .idle: break
      }
      let action = guarded.withLock { guarded in
        let action = guarded.exchange.idle()
        // Under the lock, so that a wake can only come later.
        if action == .suspend { unsafe MHD_suspend_connection(handle) }
        return action
      }
      switch action {
      case .suspend: return 0
      case .askAgain: continue
      case .end:
        // The server began to stop after the stream was asked.
        switch unsafe local.fill(buffer, isEnding: true) {
        case .wrote(let count): return count
        case .failed: return failStream()
        case .idle, .finished, nil: return cmhd_end_of_stream
        }
      }
    }
  }

  /// Passes the socket to a stream's loop, and makes the library close its own descriptor.
  ///
  /// For a failed response, the library sends no last chunk, and (MHD_USE_TURBO) does not call shutdown(2).
  private func handOver(to successor: StreamSocket) -> Int {
    loop.local.isTakingOver = true
    // Counted first: the other loop may end the stream before this thread continues.
    registry.countAsStream(self)
    if unsafe successor.begin(on: cmhd_descriptor(handle)) {
      local.successor = nil
    } else {
      context.openStreams.subtract(1, ordering: .relaxed)
    }
    return failStream()
  }

  /// Makes the library close the connection without the end of the body.
  private func failStream() -> Int {
    unsafe FailedResponse.closeInNextRun(handle, idleTimeout: context.idleTimeout)
    loop.waker.wake()
    return cmhd_end_with_error
  }

  /// Closes the stream when the library releases the response, sent in full or not.
  fileprivate func endStream() {
    loop.local.isTakingOver = false
    _ = guarded.withLock { $0.exchange.end() }
    local.successor.take()?.discard()
    local.reader.take()?.stream.closed()
  }
}

/// MHD_ContentReaderCallback; the library holds the response's mutex, which no code here takes.
private func readStreamCallback(
  _ context: UnsafeMutableRawPointer?,
  _ position: UInt64,
  _ buffer: UnsafeMutablePointer<CChar>?,
  _ size: Int
) -> Int {
  guard let context = unsafe context else { return cmhd_end_of_stream }
  return unsafe Unmanaged<Connection>.fromOpaque(context)._withUnsafeGuaranteedRef { connection in
    unsafe connection.readStream(
      into: UnsafeMutableRawBufferPointer(start: buffer, count: size)
    )
  }
}

/// MHD_ContentReaderFreeCallback: called once per response, even if it was not queued.
private func endStreamCallback(_ context: UnsafeMutableRawPointer?) {
  guard let context = unsafe context else { return }
  unsafe Unmanaged<Connection>.fromOpaque(context).takeRetainedValue().endStream()
}
