import Dispatch

/// Runs tasks on threads of its own, since tests may block all threads of Swift's pool.
package final class QueueExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "tasks", attributes: .concurrent)

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
