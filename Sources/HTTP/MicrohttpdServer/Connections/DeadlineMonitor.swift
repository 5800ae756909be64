import Dispatch
import Synchronization

/// The time in which a request must arrive, and the rate at which its response must be read.
///
/// The library's timeout covers only silence: a client that sends a byte every two seconds would live
/// forever.
struct Deadlines: Sendable {
  let head: Milliseconds
  let body: Milliseconds
  /// The interval in which a client must read ``leastProgress`` bytes of a response.
  let answer: Milliseconds
  let leastProgress: UInt64
  /// The queue of all checks.
  let queue = DispatchQueue(label: "http-deadlines")

  init(_ configuration: ServerConfiguration) {
    head = configuration.headDeadline.milliseconds
    body = configuration.bodyDeadline.milliseconds
    answer = configuration.answerDeadline.milliseconds
    leastProgress = UInt64(configuration.leastTransfer(within: configuration.answerDeadline))
  }

  /// The time between two sweeps: half a second, or less for a short deadline.
  var sweepInterval: Milliseconds { max(10, min(500, min(head, body, answer) / 8)) }

  /// The age from which a head is cut, since it would be late at the next sweep.
  var lastHeadSweep: Milliseconds { head - min(head, sweepInterval) }

  /// The age from which a body is cut.
  var lastBodySweep: Milliseconds { body - min(body, sweepInterval) }
}

/// A timer that checks all connections at intervals and cuts those whose peers are late.
///
/// One timer serves all connections: requests cost nothing, and deadlines are accurate to one interval.
final class DeadlineMonitor: Sendable {
  nonisolated(unsafe) private let timer: any DispatchSourceTimer
  // Guard: written once in init; cancelling a source is safe from any thread.

  init(_ connections: ConnectionRegistry, _ deadlines: Deadlines) {
    let timer = DispatchSource.makeTimerSource(queue: deadlines.queue)
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

  /// Stops the timer; a running sweep continues, which is harmless.
  func stop() {
    unsafe timer.cancel()
  }
}
