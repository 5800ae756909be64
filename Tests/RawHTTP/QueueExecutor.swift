import Dispatch

/// Runs the tasks of a service on Dispatch's threads, apart from those of the tests.
package final class QueueExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "tasks", attributes: .concurrent)

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
