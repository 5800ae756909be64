import Synchronization

/// Runs jobs on Swift's own pool, and knows when none is left.
///
/// A suspended task has no job. So once every job is over, nothing can happen until somebody from
/// outside acts: sends an Input, or moves a clock. Work that a view model starts in a task of its own
/// (`Task { }`, `Task.detached`) is not counted.
public final class CountingExecutor: TaskExecutor {
  private struct Count {
    var jobs = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let count = Mutex(Count())

  /// An executor without jobs.
  public init() {}

  /// Takes a job; called by Swift's runtime.
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

  /// Returns once no job is running or waiting to run.
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
