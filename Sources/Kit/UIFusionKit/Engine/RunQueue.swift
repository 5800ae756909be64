import Synchronization

/// The jobs and signals of an engine, and the thread that runs them.
///
/// A thread that finds the queue idle becomes its runner, and runs until nothing is left. Other threads
/// leave a job or a signal, which the runner is sure to find.
struct RunQueue: ~Copyable, Sendable {
  // Not private: its owner is in another file, where the compiler (6.3) could not compute the layout.
  struct Contents {
    var jobs = FIFO<UnownedJob>()
    var isSignalled = false
    /// Whether a job is next if both a job and a signal wait.
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
  private let thread = Atomic<UInt>(0)

  /// Whether the calling thread runs this queue.
  var isRunByThisThread: Bool { thread.load(ordering: .relaxed) == currentThread() }

  /// Adds a job; returns true if the queue was idle, and the caller must run it.
  func add(_ job: UnownedJob) -> Bool {
    contents.withLock {
      $0.jobs.append(job)
      return $0.start()
    }
  }

  /// Sets the signal, however often; returns true if the queue was idle, and the caller must run it.
  func signal() -> Bool {
    contents.withLock {
      $0.isSignalled = true
      return $0.start()
    }
  }

  /// Returns the next step, signals and jobs by turns; nil makes the queue idle.
  ///
  /// Called only by the runner.
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
      thread.store(0, ordering: .relaxed)
      return nil
    }
  }

  /// Makes the calling thread the runner.
  func begin() {
    thread.store(currentThread(), ordering: .relaxed)
  }

  /// Releases the calling thread without making the queue idle.
  func pause() {
    thread.store(0, ordering: .relaxed)
  }
}
