import Synchronization

/// The engine as its own serial executor.
extension Engine: SerialExecutor {
  /// The engine itself.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { asUnownedSerialExecutor() }

  /// The engine as an executor.
  package nonisolated func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  /// Enqueues a job; called by the Swift runtime.
  package nonisolated func enqueue(_ job: consuming ExecutorJob) {
    if queue.add(UnownedJob(job)) { runInPool() }
  }

  /// Returns whether the calling thread runs the engine; called by the Swift runtime between jobs, and on a
  /// thread that runs a turn outside a task.
  package nonisolated func isIsolatingCurrentContext() -> Bool? {
    queue.isRunByThisThread
  }

  /// Traps unless the calling thread runs the engine; called by the Swift runtime.
  package nonisolated func checkIsolated() {
    precondition(queue.isRunByThisThread, "not on the engine")
  }

  /// Runs waiting jobs and signals; continues in the pool after a number of steps, or if turns write much.
  nonisolated func run(steps: Int) {
    queue.begin()
    let outer = ThreadNotes.exchange(runNote)
    defer { ThreadNotes.restore(outer, after: runNote) }
    for step in 0..<steps {
      if step > 0, isRenderingCostly.load(ordering: .relaxed) { break }
      switch queue.next() {
      case .signal:
        assumeIsolated { $0.advance() }
      case .job(let job):
        let began: (time: Duration?, name: String?) = assumeIsolated { engine in
          (engine.hasReportedSlowTurn, engine.isForeign) = (false, false)
          return (engine.turnBegin, engine.slowTurn == nil ? nil : engine.nameAtWork)
        }
        run(job)
        assumeIsolated { $0.jobEnded(since: began.time, of: began.name) }
      case nil:
        return
      }
    }
    queue.pause()
    runInPool()
  }

  /// Runs on this thread, whose caller may be an action of another engine.
  nonisolated func runHere() {
    if TakenAction.isCausing { TakenAction.withoutCause { run(steps: 8) } } else { run(steps: 8) }
  }

  /// Notes the kind of user code that this thread is about to run; the detail is a name, never a value.
  func noteRun(_ code: RunningCode, _ detail: [UInt8] = []) {
    if runNote.service != 0 { ThreadNotes.update(code, detail) }
  }

  nonisolated func runInPool() {
    Task.detached(executorPreference: pool) { self.run(steps: 256) }
  }

  private nonisolated func run(_ job: UnownedJob) {
    let executor = asUnownedSerialExecutor()
    if let pool {
      // Otherwise the runtime treats each return to the engine as a change of executors, and ends the job.
      job.runSynchronously(isolatedTo: executor, taskExecutor: pool.asUnownedTaskExecutor())
    } else {
      job.runSynchronously(on: executor)
    }
  }

  private func jobEnded(since began: Duration?, of name: String?) {
    turn.awaitsAction = false
    if let invalid = publish() { rejectSegment(invalid) }
    isForeign = false
    // A turn within the job was reported by itself.
    if let name, !hasReportedSlowTurn { reportIfSlow(since: began) { name } }
    advance()
  }
}
