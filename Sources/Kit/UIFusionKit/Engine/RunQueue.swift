import Synchronization

/// What an engine has to run, and which thread is running it.
///
/// Whoever finds the queue at rest becomes its runner, and runs until nothing is left. Everybody else
/// leaves a job or a signal behind, which the runner is sure to find.
struct RunQueue: ~Copyable, Sendable {
  // Not private: what holds it lies in another file, and the compiler (6.3) cannot make its layout there.
  struct Contents {
    var jobs = FIFO<UnownedJob>()
    var isSignalled = false
    /// Whether a job is next, where there is one as well as a signal.
    var isJobsTurn = false
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

  /// The next thing to run, a signal and a job by turns; nil puts the queue to rest.
  ///
  /// Called by its runner alone.
  func next() -> Step? {
    contents.withLock { contents in
      if contents.isSignalled, !contents.isJobsTurn || contents.jobs.isEmpty {
        contents.isSignalled = false
        contents.isJobsTurn = true
        return .signal
      }
      contents.isJobsTurn = false
      if let job = contents.jobs.popFirst() { return .job(job) }
      contents.isRunning = false
      // Under the lock: from here on another thread may become the runner.
      runner.store(0, ordering: .relaxed)
      return nil
    }
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
