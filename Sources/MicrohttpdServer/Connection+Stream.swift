import CMicrohttpd
import HTTPMessages
import Synchronization

/// A streamed answer while it lasts. All on the loop's thread.
extension Connection {
  /// The library's buffer has room: how many bytes are in it now, or nil at the stream's end.
  ///
  /// 0 is only ever answered for a connection that has just been suspended; the library would
  /// otherwise ask again without end.
  func readStream(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    while true {
      let isEnding = context.connections.isClosing
      switch unsafe reader?.fill(buffer, isEnding: isEnding) ?? .finished {
      case .wrote(let count): return count
      case .finished: return nil
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
      case .end: return nil
      }
    }
  }

  /// The response is gone, sent in full or not.
  func endStream() {
    _ = guarded.withLock { $0.exchange.end() }
    let stream = unsafe reader?.stream
    unsafe reader = nil
    stream?.closed()
  }
}
