import CFusionMicrohttpd
import FusionHTTPMessages
import Synchronization

/// A streamed answer while it lasts. All on the loop's thread.
extension Connection {
  /// The head is sent, and the library's buffer has room: how many bytes are in it now, or what of the
  /// library's stands for an end.
  ///
  /// 0 is only ever answered for a connection that has just been suspended; the library would
  /// otherwise ask again without end.
  func readStream(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    if let successor = unsafe successor { return handOver(to: successor) }
    while true {
      let isEnding = context.connections.isClosing
      switch unsafe reader?.fill(buffer, isEnding: isEnding) ?? .finished {
      case .wrote(let count): return count
      case .finished: return cmhd_end_of_stream
      case .idle: break
      }
      let rest = guarded.withLock { guarded in
        let rest = guarded.exchange.rest()
        // Under the lock: a wake can only come after it.
        if rest == .suspend { unsafe MHD_suspend_connection(handle) }
        return rest
      }
      switch rest {
      case .suspend: return 0
      case .askAgain: continue
      case .end:
        // The server stops, and did so just now.
        guard case .wrote(let count)? = unsafe reader?.fill(buffer, isEnding: true) else {
          return cmhd_end_of_stream
        }
        return count
      }
    }
  }

  /// Gives a stream the socket, and has the library let go of it.
  ///
  /// It ends an answer that fails without a last chunk, and (MHD_USE_TURBO) does not shut the socket down.
  private func handOver(to successor: StreamSocket) -> Int {
    unsafe loop.isTakingOver = true
    // Counted first: its loop may be done with it before this one goes on.
    context.connections.countAsStream(self)
    if unsafe successor.begin(on: cmhd_descriptor(handle)) {
      unsafe self.successor = nil
    } else {
      context.connections.countOutStream()
    }
    // The library closes its own number when it looks at the connection again. In each run it looks at those that
    // have another timeout than the rest; of the rest, only at those that have rested longest (0.9.75, MHD_epoll).
    // And it does not ask to be run for it.
    _ = unsafe cmhd_set_timeout(handle, CUnsignedInt(clamping: context.idleTimeout / 1000 + 2))
    loop.waker.wake()
    return cmhd_end_with_error
  }

  /// The response is gone, sent in full or not.
  func endStream() {
    unsafe loop.isTakingOver = false
    _ = guarded.withLock { $0.exchange.end() }
    unsafe successor?.discard()
    unsafe successor = nil
    let stream = unsafe reader?.stream
    unsafe reader = nil
    stream?.closed()
  }
}
