import Dispatch
import Foundation

/// Runs blocking work on a thread of its own: it must not take one of Swift's, which the
/// service in the same process needs.
func onThread<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
  }
}

extension DispatchGroup {
  /// Starts a thread that belongs to the group.
  func thread(_ body: @escaping @Sendable () -> Void) {
    enter()
    Thread.detachNewThread {
      body()
      self.leave()
    }
  }

  /// Waits until all of its threads have ended.
  func ended() async {
    await withCheckedContinuation { continuation in
      notify(queue: .global()) { continuation.resume() }
    }
  }
}

/// An executor for the service's tasks on threads of its own: other tests of the same process block on
/// threads of Swift's own pool.
final class OwnThreads: TaskExecutor {
  private let queue = DispatchQueue(label: "faulty service", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
