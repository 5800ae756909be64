import CFusionMicrohttpd
import FusionHTTPMessages
import Glibc
import Synchronization

// The time for which the connection's peer keeps the server waiting; all on the deadline monitor's queue.
extension Connection {
  /// The part of a response that the peer had taken at the beginning of an interval.
  struct Progress {
    /// The stage of that response, which tells it from the next.
    let stage: Stage
    let since: Milliseconds
    let acknowledged: UInt64
  }

  /// Cuts the connection if the peer is late with a head or a body, has ended its data within one, or takes its
  /// response too slowly.
  func cutIfLate(_ now: Milliseconds, _ deadlines: Deadlines) {
    let stage = stage.load(ordering: .relaxed)
    switch stage.kind {
    case .head where now > stage.since + deadlines.lastHeadSweep,
      .body where now > stage.since + deadlines.lastBodySweep:
      cut()
    case .fresh, .kept, .head, .body:
      // Busy connections with short requests are never that old, and cost no system call.
      guard now > stage.since + minimumAge else { return }
      if context.isLocal {
        watchLocalRequest(now, stage)
      } else {
        watchRequest(now, stage, deadlines)
      }
    case .sending:
      watchResponse(now, stage, deadlines)
    case .answering:
      watchClient()
    case .streaming:
      break
    }
  }

  /// Notes that the client has left before its answer: the library does not look at a suspended connection.
  ///
  /// Not before the request's body is read to its end.
  private func watchClient() {
    let onLeaving: (@Sendable () -> Void)? = guarded.withLock { guarded in
      guard guarded.onLeaving != nil, guarded.descriptor >= 0, guarded.exchange.isWaiting,
        unsafe upload?.body.isRead != false, hasEnded(guarded.descriptor)
      else { return nil }
      return guarded.onLeaving.take()
    }
    onLeaving?()
  }

  /// Notes when the peer has begun a request, and cuts it once its data has ended.
  private func watchRequest(_ now: Milliseconds, _ stage: Stage, _ deadlines: Deadlines) {
    guard let traffic = traffic() else { return }
    if traffic.isAtEnd {
      // Not while the loop may still be handling what it has just read.
      if traffic.sinceLast > endDelay { cut() }
    } else if let start = requestStart(traffic, now, stage, deadlines) {
      beginHead(since: start, after: stage)
    }
  }

  /// Does the same over a Unix socket, for which the kernel counts neither bytes nor times.
  private func watchLocalRequest(_ now: Milliseconds, _ stage: Stage) {
    let isAtEnd = guarded.withLock { guarded in
      guarded.descriptor >= 0 && MissedEnd.isReached(on: guarded.descriptor)
    }
    if isAtEnd {
      // Since when, only repeated looking tells.
      if let known = unsafe progress, known.stage == stage {
        if now > known.since + Milliseconds(endDelay) { cut() }
      } else {
        unsafe progress = Progress(stage: stage, since: now, acknowledged: 0)
      }
    } else if stage.kind == .fresh || stage.kind == .kept {
      // By then the library would have closed a silent connection. A slow head has that much more time.
      let latest = stage.since + context.idleTimeout
      if now > latest { beginHead(since: latest, after: stage) }
    }
  }

  private func beginHead(since start: Milliseconds, after stage: Stage) {
    // Fails if the loop has moved on in the meantime, which is fine.
    _ = self.stage.compareExchange(
      expected: stage,
      desired: Stage(.head, since: start),
      ordering: .relaxed
    )
  }

  /// Compares what the peer has taken of a response, from one deadline to the next.
  private func watchResponse(_ now: Milliseconds, _ stage: Stage, _ deadlines: Deadlines) {
    // Over a Unix socket the kernel frees sent data in large parts: the library's timeout cuts a peer that sips.
    guard now > stage.since + minimumAge, !context.isLocal else { return }
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

  /// Returns when the first byte of the next request may have come; nil if none has.
  ///
  /// The library reports nothing before a request line is complete; the kernel knows. A client that keeps a connection
  /// and sends nothing is never late: the library's timeout closes it.
  private func requestStart(
    _ traffic: Traffic,
    _ now: Milliseconds,
    _ stage: Stage,
    _ deadlines: Deadlines
  ) -> Milliseconds? {
    // Seen in this sweep and not in the one before: no earlier than that one.
    let first = max(stage.since, now - min(now, deadlines.sweepInterval))
    switch stage.kind {
    case .fresh: return traffic.received > 0 ? first : nil
    // The library has reported the request line.
    case .head, .body, .answering, .sending, .streaming: return nil
    case .kept:
      // Bytes that came with the previous request, or at the same moment, are not the next one.
      let last = now - min(now, Milliseconds(traffic.sinceLast))
      return last > stage.since + minimumAge / 2 ? first : nil
    }
  }
}

/// A time longer than the kernel's tick, by which its times may be off.
private let minimumAge: Milliseconds = 60

/// A time longer than the loop takes to answer a request that it has read, or to suspend its
/// connection.
private let endDelay: UInt32 = 250

/// Returns whether a socket's peer sends no more, even if not all that it has sent is read.
private func hasEnded(_ descriptor: Int32) -> Bool {
  // POLLRDHUP has the same value, and no name in Swift.
  var entry = pollfd(fd: descriptor, events: Int16(EPOLLRDHUP.rawValue), revents: 0)
  return unsafe poll(&entry, 1, 0) > 0
}

/// The traffic of a TCP socket (tcp(7), TCP_INFO).
private struct Traffic {
  /// Milliseconds since the last data came.
  let sinceLast: UInt32
  /// Bytes sent that the peer's kernel has acknowledged.
  let acknowledged: UInt64
  let received: UInt64
  /// Whether the peer sends no more, and all that it has sent is read.
  let isAtEnd: Bool

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
    isAtEnd = MissedEnd.isReached(on: descriptor)
  }
}
