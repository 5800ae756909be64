import Dispatch
import Synchronization

/// The time that a request may take to arrive, and the rate at which its response has to be taken.
///
/// The library's timeout is for silence only: a client that sends a byte every two seconds would live for ever.
struct Deadlines: Sendable {
  let head: Milliseconds
  let body: Milliseconds
  /// The interval in which a client has to take ``leastProgress`` bytes of a response.
  let answer: Milliseconds
  let leastProgress: UInt64

  init(_ configuration: ServerConfiguration) {
    head = configuration.headDeadline.milliseconds
    body = configuration.bodyDeadline.milliseconds
    answer = configuration.answerDeadline.milliseconds
    leastProgress = UInt64(configuration.leastTransfer(within: configuration.answerDeadline))
  }

  /// The time between two sweeps: half a second, or less if a deadline is short.
  var sweepInterval: Milliseconds { max(10, min(500, min(head, body, answer) / 8)) }

  /// The age from which a head is cut: at the next sweep it would be late.
  var lastHeadSweep: Milliseconds { head - min(head, sweepInterval) }

  /// The age from which a body is cut.
  var lastBodySweep: Milliseconds { body - min(body, sweepInterval) }
}

/// A timer that looks at all connections at intervals and cuts those whose peers are late.
///
/// A single timer for all: requests pay for none, and deadlines are kept to within an interval.
final class DeadlineMonitor: Sendable {
  nonisolated(unsafe) private let timer: any DispatchSourceTimer
  // Guard: written once in init; cancelling a source is safe from any thread.

  init(_ connections: ConnectionRegistry, _ deadlines: Deadlines) {
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

  /// Stops the timer; a sweep that has begun goes on, and does no harm.
  func stop() {
    unsafe timer.cancel()
  }
}
