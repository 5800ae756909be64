import Glibc
import Synchronization

/// How long the peer of a connection has been making us wait. All on the sweeper's queue.
extension Connection {
  /// Cuts the connection if the peer is late with a head or a body, or will never send it, or takes its
  /// answer too slowly.
  func cutIfLate(_ now: Milliseconds, _ deadlines: Deadlines) {
    let stage = stage.load(ordering: .relaxed)
    switch stage.kind {
    case .head where now > stage.since + deadlines.lastHeadSweep,
      .body where now > stage.since + deadlines.lastBodySweep:
      cut()
    case .fresh, .kept, .head, .body:
      listen(now, stage, deadlines)
    case .sending:
      watchProgress(now, stage, deadlines)
    case .answering, .streaming:
      break
    }
  }

  /// Looks at whether the peer has begun a request, or has done with sending.
  private func listen(_ now: Milliseconds, _ stage: Stage, _ deadlines: Deadlines) {
    // An interval's rest, so that connections busy with short requests cost no system call.
    guard now > stage.since + restBeforeAsking else { return }
    if context.isLocal { return listenLocally(now, stage) }
    guard let traffic = traffic() else { return }
    if traffic.isAllIn {
      // Not while the loop may be at what it has read just now.
      if traffic.sinceLast > restAfterAll { cut() }
    } else if let heard = firstHeard(traffic, now, stage, deadlines) {
      beginHead(since: heard, after: stage)
    }
  }

  func beginHead(since heard: Milliseconds, after stage: Stage) {
    // Fails where the loop has gone on in the meantime; so much the better.
    _ = self.stage.compareExchange(
      expected: stage,
      desired: Stage(.head, since: heard),
      ordering: .relaxed
    )
  }

  /// Looks at what the peer has taken, from one deadline to the next.
  private func watchProgress(_ now: Milliseconds, _ stage: Stage, _ deadlines: Deadlines) {
    // What the kernel holds for a peer on this machine is freed in large parts: one that sips is silent to the
    // library, whose timeout cuts it.
    guard now > stage.since + restBeforeAsking, !context.isLocal else { return }
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
  /// The library tells nothing before a request line is complete; the kernel knows. A client that
  /// keeps a connection and sends nothing is never late: the library's timeout is for that.
  private func firstHeard(
    _ traffic: Traffic,
    _ now: Milliseconds,
    _ stage: Stage,
    _ deadlines: Deadlines
  ) -> Milliseconds? {
    // Seen in this sweep and not in the one before: no earlier than that one.
    let first = max(stage.since, now - min(now, deadlines.sweepInterval))
    switch stage.kind {
    case .fresh: return traffic.received > 0 ? first : nil
    // The library has told.
    case .head, .body, .answering, .sending, .streaming: return nil
    case .kept:
      // What came with the previous request, or at the same moment, is not the next one.
      let last = now - min(now, Milliseconds(traffic.sinceLast))
      return last > stage.since + restBeforeAsking / 2 ? first : nil
    }
  }
}

/// Longer than the kernel's tick, by which its times may be off.
private let restBeforeAsking: Milliseconds = 60

/// Longer than the loop takes to answer, or to suspend, what it has read.
let restAfterAll: UInt32 = 250

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
  /// The peer sends no more, and what it has sent has been read.
  ///
  /// The library overlooks an end that comes together with a request (0.9.75: it waits for the
  /// socket to change once more), and would keep the connection until its timeout.
  let isAllIn: Bool

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
    var byte: UInt8 = 0
    isAllIn = unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0
  }
}
