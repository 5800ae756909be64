import UIFusionKit

/// The time since one process's start, on a clock that may be slower or faster than the scheduler's.
final class SimulatedTime: TimeSource, @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  private let scheduler: Scheduler
  private let start: Duration
  /// The milliseconds that the clock advances in a second.
  private let speed: Int
  private var sleepers: [Int: UnsafeContinuation<Void, any Error>] = [:]
  private var isOver = false

  init(_ scheduler: Scheduler, speed: Int = 1_000) {
    self.scheduler = scheduler
    self.speed = speed
    start = scheduler.now
  }

  var now: Duration { (scheduler.now - start) * speed / 1_000 }

  /// Returns the scheduler's time at which the clock reaches a time, rounded up.
  private func moment(of time: Duration) -> Duration {
    speed == 1_000 ? start + time : start + time * 1_000 / speed + .microseconds(1)
  }

  /// The number of sleeping tasks.
  var sleeping: Int { sleepers.count }

  nonisolated(nonsending) func sleep(until deadline: Duration) async throws {
    scheduler.checkThread()
    let sleep = Sleep()
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation {
        (continuation: UnsafeContinuation<Void, any Error>) in
        if Task.isCancelled || isOver {
          continuation.resume(throwing: CancellationError())
        } else if deadline <= now {
          continuation.resume()
        } else {
          let number = scheduler.at(moment(of: deadline)) { [self] in wake(sleep.number) }
          sleep.number = number
          sleepers[number] = continuation
        }
      }
    } onCancel: {
      scheduler.checkThread()
      if scheduler.stop(sleep.number) || sleepers[sleep.number] != nil { cancel(sleep.number) }
    }
  }

  /// A sleeping task's timer number.
  private final class Sleep: @unchecked Sendable {
    // Guard: `Scheduler.checkThread()`.
    var number = 0
  }

  private func wake(_ number: Int) {
    sleepers.removeValue(forKey: number)?.resume()
  }

  private func cancel(_ number: Int) {
    sleepers.removeValue(forKey: number)?.resume(throwing: CancellationError())
  }

  /// Ends the process's time: all sleeps are cancelled.
  func die() {
    isOver = true
    for number in sleepers.keys.sorted() {
      scheduler.stop(number)
      cancel(number)
    }
  }
}
