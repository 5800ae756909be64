import UIFusionKit

/// The time of one process, counted from its start on the scheduler's clock.
final class SimulatedTime: TimeSource, @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  private let scheduler: Scheduler
  private let start: Duration
  private var sleepers: [Int: UnsafeContinuation<Void, any Error>] = [:]
  private var isOver = false

  init(_ scheduler: Scheduler) {
    self.scheduler = scheduler
    start = scheduler.now
  }

  var now: Duration { scheduler.now - start }

  /// How many tasks sleep.
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
          let number = scheduler.at(start + deadline) { [self] in wake(sleep.number) }
          sleep.number = number
          sleepers[number] = continuation
        }
      }
    } onCancel: {
      scheduler.checkThread()
      if scheduler.stop(sleep.number) || sleepers[sleep.number] != nil { cancel(sleep.number) }
    }
  }

  /// One that sleeps has its timer's number.
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

  /// The process is dead: whoever sleeps is cancelled.
  func die() {
    isOver = true
    for number in sleepers.keys.sorted() {
      scheduler.stop(number)
      cancel(number)
    }
  }
}
