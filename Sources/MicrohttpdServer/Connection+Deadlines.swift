import Glibc
import Synchronization

/// How long the peer of a connection has been making us wait.
extension Connection {
  /// Cuts the connection if the peer is late with a head or a body.
  ///
  /// The sweeper's thread.
  func cutIfLate(_ now: Milliseconds, _ deadlines: Deadlines) {
    let stage = stage.load(ordering: .relaxed)
    switch stage.kind {
    case .fresh, .kept:
      // The library tells nothing before a request line is complete; the kernel knows.
      guard let heard = firstHeard(now, stage, deadlines) else { return }
      // Fails where the worker has gone on in the meantime; so much the better.
      _ = self.stage.compareExchange(
        expected: stage,
        desired: Stage(.head, since: heard),
        ordering: .relaxed
      )
    case .head:
      if now > stage.since + deadlines.lastHeadSweep { cut() }
    case .body:
      if now > stage.since + deadlines.lastBodySweep { cut() }
    case .answering, .streaming:
      break
    }
  }

  /// When the first byte of the next request may have come, if any has.
  ///
  /// A client that keeps a connection and sends nothing is never late: the library's timeout is for
  /// that.
  private func firstHeard(
    _ now: Milliseconds,
    _ stage: Stage,
    _ deadlines: Deadlines
  ) -> Milliseconds? {
    // An interval's rest, so that connections busy with short requests cost no system call.
    guard now > stage.since + restBeforeAsking else { return nil }
    let arrivals = guarded.withLock { guarded in
      guarded.descriptor >= 0 ? Arrivals(guarded.descriptor) : nil
    }
    guard let arrivals else { return nil }
    // Seen in this sweep and not in the one before: no earlier than that one.
    let first = max(stage.since, now - min(now, deadlines.sweepInterval))
    switch stage.kind {
    case .fresh: return arrivals.byteCount > 0 ? first : nil
    default:
      // What came with the previous request, or at the same moment, is not the next one.
      let last = now - min(now, Milliseconds(arrivals.sinceLast))
      return last > stage.since + restBeforeAsking / 2 ? first : nil
    }
  }
}

/// Longer than the kernel's tick, by which its times may be off.
private let restBeforeAsking: Milliseconds = 60

/// What has arrived on a TCP socket (Linux, tcp(7), TCP_INFO).
private struct Arrivals {
  /// Milliseconds since the last data.
  let sinceLast: UInt32
  let byteCount: UInt64

  init?(_ descriptor: Int32) {
    // The C library's `tcp_info` ends before the byte count; the kernel's layout, which only ever
    // grows, has tcpi_last_data_recv at 52 and tcpi_bytes_received at 128 (linux/tcp.h).
    var words = [UInt64](repeating: 0, count: 17)
    var length = socklen_t(words.count * MemoryLayout<UInt64>.size)
    let result = unsafe getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &words, &length)
    guard result == 0, length == 136 else { return nil }
    sinceLast = UInt32(truncatingIfNeeded: words[6] >> 32)
    byteCount = words[16]
  }
}
