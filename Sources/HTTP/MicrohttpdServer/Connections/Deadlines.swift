import Dispatch
import Synchronization

/// How long a request may take to arrive, and how slowly its answer may be taken.
///
/// The library's timeout is for silence only: a byte every two seconds lives for ever.
struct Deadlines: Sendable {
  let head: Milliseconds
  let body: Milliseconds
  /// After each such time on its way, an answer has to have gone on by ``leastProgress``.
  let answer: Milliseconds
  /// In bytes.
  let leastProgress: UInt64

  init(head: Duration, body: Duration, answer: Duration, slowestAnswer: Int) {
    self.head = head.milliseconds
    self.body = body.milliseconds
    self.answer = answer.milliseconds
    leastProgress = self.answer * UInt64(max(0, slowestAnswer)) / 1000
  }

  /// Half a second, or less where a deadline is short.
  var sweepInterval: Milliseconds { max(10, min(500, min(head, body, answer) / 8)) }

  /// How old a head may be at a sweep: at the next one it would be too old.
  var lastHeadSweep: Milliseconds { head - min(head, sweepInterval) }

  /// How old a body may be at a sweep.
  var lastBodySweep: Milliseconds { body - min(body, sweepInterval) }
}

/// Looks at all connections every so often and cuts those whose peer is late.
///
/// One timer for all: requests pay for no timer of their own, and deadlines are kept to within an
/// interval. Holds the list of connections and through them everything else, until stopped.
final class Sweeper: Sendable {
  nonisolated(unsafe) private let timer: any DispatchSourceTimer
  // Guard: written once in init; cancelling a source is safe from any thread.

  init(_ connections: Connections, _ deadlines: Deadlines) {
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "http-deadlines"))
    let interval = DispatchTimeInterval.milliseconds(Int(deadlines.sweepInterval))
    timer.schedule(deadline: .now() + interval, repeating: interval, leeway: interval)
    timer.setEventHandler { [weak connections] in
      guard let connections else { return }
      let now = coarseNow()
      for connection in connections.all { connection.cutIfLate(now, deadlines) }
    }
    timer.activate()
    unsafe self.timer = timer
  }

  /// A sweep that is under way goes on; it does no harm.
  func stop() {
    unsafe timer.cancel()
  }
}

extension Duration {
  /// Rounded up, and at least one.
  var milliseconds: Milliseconds {
    let (seconds, attoseconds) = components
    guard seconds >= 0 else { return 1 }
    let fraction = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return max(1, Milliseconds(clamping: seconds) * 1000 + Milliseconds(clamping: fraction))
  }
}
