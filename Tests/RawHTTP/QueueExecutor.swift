import Dispatch

/// Runs tasks on threads of its own: those of Swift's pool may all be in tests that block.
package final class QueueExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "tasks", attributes: .concurrent)

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
