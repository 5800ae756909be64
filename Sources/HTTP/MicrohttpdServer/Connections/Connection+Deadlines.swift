import CFusionMicrohttpd
import Dispatch
import FusionHTTPMessages
import Glibc
import Synchronization

// Deadlines for the connection's peer; all on the deadline monitor's queue.
extension Connection {
  /// The part of a response that the peer had read at the beginning of an interval.
  struct Progress {
    /// The stage of that response, which distinguishes it from the next one.
    let stage: Stage
    let since: Milliseconds
    let acknowledged: UInt64
  }

  /// Cuts the connection if the peer is late with a head or a body, has ended its data within one, or reads
  /// its response too slowly.
  func cutIfLate(_ now: Milliseconds, _ deadlines: Deadlines) {
    #if DEBUG
      dispatchPrecondition(condition: .onQueue(deadlines.queue))
    #endif
    let stage = stage.load(ordering: .relaxed)
    switch stage.kind {
    case .head where now > stage.since + deadlines.lastHeadSweep,
      .body where now > stage.since + deadlines.lastBodySweep:
      cut()
    case .fresh, .kept, .head, .body, .pausing:
      // Busy connections with short requests never reach that age, and cost no system call.
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
      watchPausing()
    case .streaming:
      break
    }
  }

  /// Reports that the client left before its answer, which the library does not check on a suspended
  /// connection.
  ///
  /// Only after the request's body is completely read.
  private func watchClient() {
    let onLeaving: (@Sendable () -> Void)? = guarded.withLock { guarded in
      guard guarded.onLeaving != nil, guarded.descriptor >= 0, guarded.exchange.isWaiting,
        unsafe upload?.body.isRead != false, hasEnded(guarded.descriptor)
      else { return nil }
      return guarded.onLeaving.take()
    }
    onLeaving?()
  }

  /// Ends the body of a client that may pause and has gone, which the library does not check on a suspended connection.
  private func watchPausing() {
    let body: IncomingBody? = guarded.withLock { guarded in
      guard guarded.pausing != nil, isBroken(guarded.descriptor) else { return nil }
      guarded.cut(isDiscarding: false)
      return unsafe upload?.body
    }
    body?.fail()
  }

  /// Notices the start of a request, and cuts the connection once the peer's data has ended.
  private func watchRequest(_ now: Milliseconds, _ stage: Stage, _ deadlines: Deadlines) {
    guard let traffic = traffic() else { return }
    if traffic.isAtEnd {
      // Waits, since the loop may still be handling the last data.
      if traffic.sinceLast > endDelay { cut() }
    } else if let start = requestStart(traffic, now, stage, deadlines) {
      beginHead(since: start, after: stage)
    }
  }

  /// The same over a Unix socket, for which the kernel counts neither bytes nor times.
  private func watchLocalRequest(_ now: Milliseconds, _ stage: Stage) {
    let isAtEnd = guarded.withLock { guarded in
      guarded.descriptor >= 0 && MissedEnd.isReached(on: guarded.descriptor)
    }
    if isAtEnd {
      // The time of the end is known only from repeated checks.
      if let known = unsafe progress, known.stage == stage {
        if now > known.since + Milliseconds(endDelay) { cut() }
      } else {
        unsafe progress = Progress(stage: stage, since: now, acknowledged: 0)
      }
    } else if stage.kind == .fresh || stage.kind == .kept {
      // The library would have closed a silent connection by then, so a head has begun. A slow head may take
      // that much longer.
      let latest = stage.since + context.idleTimeout
      if now > latest { beginHead(since: latest, after: stage) }
    }
  }

  private func beginHead(since start: Milliseconds, after stage: Stage) {
    // Fails if the loop has moved on in the meantime, which is harmless.
    _ = self.stage.compareExchange(
      expected: stage,
      desired: Stage(.head, since: start),
      ordering: .relaxed
    )
  }

  /// Checks at each deadline how much of a response the peer has read.
  private func watchResponse(_ now: Milliseconds, _ stage: Stage, _ deadlines: Deadlines) {
    // Over a Unix socket the kernel frees sent data in large blocks: the library's timeout cuts slow peers.
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

  /// Returns the earliest time at which the next request may have begun; nil if it has not.
  ///
  /// The library reports nothing before a request line is complete, but the kernel counts its bytes. A client
  /// that keeps a connection without sending is never late: the library's timeout closes it.
  private func requestStart(
    _ traffic: Traffic,
    _ now: Milliseconds,
    _ stage: Stage,
    _ deadlines: Deadlines
  ) -> Milliseconds? {
    // The bytes are seen in this sweep but not in the previous one, so they are not older than that one.
    let first = max(stage.since, now - min(now, deadlines.sweepInterval))
    switch stage.kind {
    case .fresh: return traffic.received > 0 ? first : nil
    // The library has already reported the request line.
    case .head, .body, .pausing, .answering, .sending, .streaming: return nil
    case .kept:
      // Bytes that came with the previous request, or at the same moment, do not belong to the next one.
      let last = now - min(now, Milliseconds(traffic.sinceLast))
      return last > stage.since + minimumAge / 2 ? first : nil
    }
  }
}

/// Longer than the kernel's tick, by which its times may be wrong.
private let minimumAge: Milliseconds = 60

/// Longer than the loop takes to answer a request that it has read, or to suspend its connection.
private let endDelay: UInt32 = 250

/// Returns whether a socket's peer has stopped sending, even if some of its data is unread.
private func hasEnded(_ descriptor: Int32) -> Bool {
  // POLLRDHUP has the same value, but is not available in Swift.
  var entry = pollfd(fd: descriptor, events: Int16(EPOLLRDHUP.rawValue), revents: 0)
  return unsafe poll(&entry, 1, 0) > 0
}

/// Whether a socket is of no use any more: its peer has reset it, or does not answer.
private func isBroken(_ descriptor: Int32) -> Bool {
  var entry = pollfd(fd: descriptor, events: 0, revents: 0)
  return unsafe poll(&entry, 1, 0) > 0
}

/// The traffic of a TCP socket (tcp(7), TCP_INFO).
private struct Traffic {
  /// Milliseconds since the last data arrived.
  let sinceLast: UInt32
  /// Bytes sent that the peer's kernel has acknowledged.
  let acknowledged: UInt64
  let received: UInt64
  /// Whether the peer has stopped sending, and all of its data is read.
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
