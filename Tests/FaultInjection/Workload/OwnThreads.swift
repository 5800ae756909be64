import Dispatch

/// Runs the service's tasks on threads that nobody else blocks: other tests of the same process wait for
/// sockets on those of Swift's own pool.
final class OwnThreads: TaskExecutor {
  private let queue = DispatchQueue(label: "faulty service", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
