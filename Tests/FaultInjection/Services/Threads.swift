import Dispatch
import Foundation

extension DispatchGroup {
  /// Starts a thread that belongs to the group.
  func thread(_ body: @escaping @Sendable () -> Void) {
    enter()
    Thread.detachNewThread {
      body()
      self.leave()
    }
  }

  /// Waits until all threads of the group have ended.
  func ended() async {
    await withCheckedContinuation { continuation in
      notify(queue: .global()) { continuation.resume() }
    }
  }
}

/// An executor that runs the service's tasks on its own threads: other tests of the same process block
/// threads of Swift's pool.
final class OwnThreads: TaskExecutor {
  private let queue = DispatchQueue(label: "faulty service", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
