import Glibc
import Synchronization

/// Deadlines over a Unix socket, of which the kernel counts neither bytes nor times. All on the sweeper's queue.
extension Connection {
  /// Looks at whether the peer has done with sending, or must have begun a request.
  func listenLocally(_ now: Milliseconds, _ stage: Stage) {
    if isAllIn {
      // Not while the loop may be at what it has read just now: since when, only looking tells.
      if let known = unsafe progress, known.stage == stage {
        if now > known.since + Milliseconds(restAfterAll) { cut() }
      } else {
        unsafe progress = Progress(stage: stage, since: now, acknowledged: 0)
      }
    } else if stage.kind == .fresh || stage.kind == .kept {
      // The library would have closed it by then, had nothing come. A head that drips has this much more time.
      let latest = stage.since + context.idleTimeout
      if now > latest { beginHead(since: latest, after: stage) }
    }
  }

  /// The peer sends no more, and what it has sent has been read.
  private var isAllIn: Bool {
    guarded.withLock { guarded in
      guard guarded.descriptor >= 0 else { return false }
      var byte: UInt8 = 0
      return unsafe recv(guarded.descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0
    }
  }
}
