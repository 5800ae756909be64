import Glibc
import Synchronization

/// How long the peer of a connection has been making us wait. All on the sweeper's queue.
extension Connection {
  /// Cuts the connection if the peer is late with a head or a body, or takes its answer too slowly.
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
    case .sending:
      watchProgress(now, stage, deadlines)
    case .answering, .streaming:
      break
    }
  }

  /// Looks at what the peer has taken, from one deadline to the next.
  private func watchProgress(_ now: Milliseconds, _ stage: Stage, _ deadlines: Deadlines) {
    guard now > stage.since + restBeforeAsking else { return }
    let known = unsafe progress.flatMap { $0.stage == stage ? $0 : nil }
    if let known, now < known.since + deadlines.answer { return }
    guard let count = traffic()?.acknowledged else { return }
    if let known, count < known.acknowledged + deadlines.leastProgress {
      return cut(isDiscarding: true)
    }
    unsafe progress = Progress(stage: stage, since: now, acknowledged: count)
  }

  private func traffic() -> Traffic? {
    guarded.withLock { guarded in
      guarded.descriptor >= 0 ? Traffic(guarded.descriptor) : nil
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
    guard let traffic = traffic() else { return nil }
    // Seen in this sweep and not in the one before: no earlier than that one.
    let first = max(stage.since, now - min(now, deadlines.sweepInterval))
    switch stage.kind {
    case .fresh: return traffic.received > 0 ? first : nil
    default:
      // What came with the previous request, or at the same moment, is not the next one.
      let last = now - min(now, Milliseconds(traffic.sinceLast))
      return last > stage.since + restBeforeAsking / 2 ? first : nil
    }
  }
}

/// Longer than the kernel's tick, by which its times may be off.
private let restBeforeAsking: Milliseconds = 60

extension Connection {
  /// How far an answer had come at the beginning of a deadline.
  struct Progress {
    /// Tells one answer from the next.
    let stage: Stage
    let since: Milliseconds
    let acknowledged: UInt64
  }
}

/// What has passed through a TCP socket (Linux, tcp(7), TCP_INFO).
private struct Traffic {
  /// Milliseconds since the last data came.
  let sinceLast: UInt32
  /// Bytes that the peer's kernel has taken, of all that was sent.
  let acknowledged: UInt64
  let received: UInt64

  init?(_ descriptor: Int32) {
    // The C library's `tcp_info` ends before the byte counts; the kernel's layout, which only ever
    // grows, has tcpi_last_data_recv at 52, tcpi_bytes_acked at 120 and tcpi_bytes_received at 128
    // (linux/tcp.h).
    var words = [UInt64](repeating: 0, count: 17)
    var length = socklen_t(words.count * MemoryLayout<UInt64>.size)
    let result = unsafe getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &words, &length)
    guard result == 0, length == 136 else { return nil }
    sinceLast = UInt32(truncatingIfNeeded: words[6] >> 32)
    acknowledged = words[15]
    received = words[16]
  }
}
