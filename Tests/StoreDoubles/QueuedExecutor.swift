import Synchronization

/// Runs jobs in the order in which they came, when it is told to, on the thread that tells it.
package final class QueuedExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  package func run() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
