import UIFusionKit

/// The executor of one process, whose jobs all go through the scheduler.
///
/// A process that is dead runs apart from the world, so that what it held is let go of.
final class SimulatedExecutor: TaskExecutor, @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  private let scheduler: Scheduler
  private var isDead = false
  private var rest: [UnownedJob] = []
  /// The jobs that are to run when the executor goes on; nil while it is not paused.
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

  /// Nothing runs until ``resume()``, as after SIGSTOP.
  func pause() {
    held = scheduler.removeJobs(of: self)
  }

  func resume() {
    let jobs = held ?? []
    held = nil
    for job in jobs { scheduler.enqueue(job, of: self) }
  }

  /// Kills the process: nothing that runs here can be seen from here on.
  func die() {
    isDead = true
    rest = (held ?? []) + scheduler.removeJobs(of: self)
    held = nil
  }

  /// Runs what is left of a dead process.
  func runRest() {
    var count = 0
    while !rest.isEmpty, count < 100_000 {
      count += 1
      rest.removeFirst().runSynchronously(on: asUnownedTaskExecutor())
    }
    if !rest.isEmpty { scheduler.fail(.ended, "a process that was killed never comes to rest") }
  }
}
