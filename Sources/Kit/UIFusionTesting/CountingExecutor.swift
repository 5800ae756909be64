import Synchronization

/// An executor that runs jobs on Swift's global pool, and tells when none is left.
///
/// A suspended task has no job. Once every job has ended, nothing can happen until the test sends an
/// Input or advances a clock. Work in tasks that a view model creates itself (`Task { }`,
/// `Task.detached`) is not counted.
public final class CountingExecutor: TaskExecutor {
  private struct Count {
    var jobs = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let count = Mutex(Count())

  /// Creates an executor without jobs.
  public init() {}

  /// Enqueues a job; called by the Swift runtime.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    count.withLock { $0.jobs += 1 }
    Task.detached { @concurrent [self] in
      job.runSynchronously(on: asUnownedTaskExecutor())
      for continuation in finishOne() { continuation.resume() }
    }
  }

  private func finishOne() -> [CheckedContinuation<Void, Never>] {
    count.withLock { count in
      count.jobs -= 1
      guard count.jobs == 0 else { return [] }
      defer { count.waiting = [] }
      return count.waiting
    }
  }

  /// Waits until no job is running or enqueued.
  public func idle() async {
    await withCheckedContinuation { continuation in
      let isIdle = count.withLock { count in
        if count.jobs > 0 { count.waiting.append(continuation) }
        return count.jobs == 0
      }
      if isIdle { continuation.resume() }
    }
  }
}
