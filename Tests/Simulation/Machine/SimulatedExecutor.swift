import UIFusionKit

/// The executor of one process, whose jobs all run through the scheduler.
///
/// A dead process runs its remaining jobs outside the simulation, so that its memory is freed.
final class SimulatedExecutor: TaskExecutor, @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  private let scheduler: Scheduler
  private var isDead = false
  private var rest: [UnownedJob] = []
  /// The jobs that wait for ``resume()``, or nil if the executor is not paused.
  private var held: [UnownedJob]?

  init(_ scheduler: Scheduler) {
    self.scheduler = scheduler
  }

  func enqueue(_ job: consuming ExecutorJob) {
    scheduler.checkThread()
    let job = UnownedJob(job)
    if isDead {
      rest.append(job)
    } else if held?.append(job) == nil {
      scheduler.enqueue(job, of: self)
    }
  }

  /// Stops all jobs until ``resume()``, as SIGSTOP does.
  func pause() {
    held = scheduler.removeJobs(of: self)
  }

  func resume() {
    let jobs = held ?? []
    held = nil
    for job in jobs { scheduler.enqueue(job, of: self) }
  }

  /// Kills the process: nothing that runs here is visible any more.
  func die() {
    isDead = true
    rest = (held ?? []) + scheduler.removeJobs(of: self)
    held = nil
  }

  /// Runs the remaining jobs of a dead process.
  func runRest() {
    var count = 0
    while !rest.isEmpty, count < 100_000 {
      count += 1
      rest.removeFirst().runSynchronously(on: asUnownedTaskExecutor())
    }
    if !rest.isEmpty { scheduler.fail(.ended, "a killed process never comes to rest") }
  }
}
