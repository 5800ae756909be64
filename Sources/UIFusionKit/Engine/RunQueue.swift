import Synchronization

/// What an engine has to run, and which thread is running it.
///
/// Whoever finds the queue at rest becomes its runner, and runs until nothing is left. Everybody else
/// leaves a job or a signal behind, which the runner is sure to find.
final class RunQueue: Sendable {
  private struct Contents {
    var jobs: [UnownedJob] = []
    var head = 0
    var isSignalled = false
    var isRunning = false

    mutating func start() -> Bool {
      defer { isRunning = true }
      return !isRunning
    }
  }

  enum Step {
    case job(UnownedJob)
    case signal
  }

  private let contents = Mutex(Contents())
  private let runner = Atomic<UInt>(0)

  /// Whether the calling thread is the one that runs this queue.
  var isRunByThisThread: Bool { runner.load(ordering: .relaxed) == currentThread() }

  /// Leaves a job behind; true where the queue was at rest, and the caller has to see that it runs.
  func add(_ job: UnownedJob) -> Bool {
    contents.withLock {
      $0.jobs.append(job)
      return $0.start()
    }
  }

  /// Leaves a signal behind: any number of them are one.
  ///
  /// True as in ``add(_:)``.
  func signal() -> Bool {
    contents.withLock {
      $0.isSignalled = true
      return $0.start()
    }
  }

  /// The next thing to run, signals first; nil puts the queue to rest.
  ///
  /// Called by its runner alone.
  func next() -> Step? {
    let step = contents.withLock { contents -> Step? in
      if contents.isSignalled {
        contents.isSignalled = false
        return .signal
      }
      guard contents.head < contents.jobs.count else {
        contents.jobs.removeAll(keepingCapacity: contents.jobs.capacity <= 16)
        contents.head = 0
        contents.isRunning = false
        // Under the lock: from here on another thread may become the runner.
        runner.store(0, ordering: .relaxed)
        return nil
      }
      let job = contents.jobs[contents.head]
      contents.head += 1
      if contents.head >= 64, contents.head * 2 >= contents.jobs.count {
        contents.jobs.removeFirst(contents.head)
        contents.head = 0
      }
      return .job(job)
    }
    return step
  }

  /// The calling thread takes over as runner.
  func begin() {
    runner.store(currentThread(), ordering: .relaxed)
  }

  /// The calling thread gives up being the runner without putting the queue to rest.
  func pause() {
    runner.store(0, ordering: .relaxed)
  }
}
