/// Runs one view model: takes up its Inputs in order, keeps its tasks, and publishes its State.
///
/// An engine is an actor with an executor of its own. The thread that brings an Input to an engine at
/// rest runs the turn itself, up to its first suspension; otherwise whoever runs the engine finds the
/// Input in the mailbox. A suspension is the end of a job, and at each job's end State is compared
/// with what was published last.
///
/// Closing cancels what runs and frees the view model.
public actor Engine {
  private nonisolated let queue = RunQueue()
  private nonisolated let mailbox: Mailbox
  private nonisolated let pool: (any TaskExecutor)?
  private let settledChanged: @Sendable (Bool) -> Void

  /// The view model at work; nil once the engine has closed.
  private var turns: (any Turns)?
  private var version = 1

  private var ledger = Ledger()
  private var taking = Taking()
  private var isBusy = false
  private var tasks: [Int: Task<Void, Never>] = [:]
  private var turnsStarted = 0

  /// Deliveries that were taken up in the job that is running, to be told so at its end.
  private var begun: [(delivery: Delivery, root: Ledger.Root)] = []
  private var settled: [Ledger.Root] = []
  private var awaitingSettled: [Ledger.Root: Delivery] = [:]
  private var wasIdle = true

  /// Creates a view model and publishes its first State as version 1, before returning.
  ///
  /// - Parameters:
  ///   - mailboxLimit: how many Inputs may wait.
  ///   - pool: where tasks run while they are not on the engine; nil is Swift's own pool.
  ///   - settled: told whenever it changes whether nothing that was asked for is left.
  ///   - published: told each State that differs from the one before; versions grow by one.
  ///   - make: creates the view model, within the engine's isolation.
  ///
  /// `settled` and `published` are called on the engine, in order. They must neither wait nor call the
  /// engine.
  public init<Model: ViewModel>(
    mailboxLimit: Int = .max,
    pool: (any TaskExecutor)? = nil,
    settled: @escaping @Sendable (Bool) -> Void = { _ in },
    published: @escaping @Sendable (_ state: Model.State, _ version: Int) -> Void,
    _ make: @Sendable () throws -> Model
  ) rethrows {
    turns = Model.turns(of: try make(), publish: published)
    mailbox = Mailbox(limit: mailboxLimit)
    self.pool = pool
    settledChanged = settled
  }

  /// Hands over a delivery.
  ///
  /// Its Inputs are taken up in the order in which deliveries were accepted.
  ///
  /// Where the engine is at rest, its turn has run to its first suspension before this returns.
  public nonisolated func submit(_ delivery: Delivery) -> Submission {
    let submission = mailbox.add(delivery)
    if case .accepted = submission { signal() }
    return submission
  }

  /// Cancels what runs, frees the view model and tells all who wait.
  ///
  /// Nothing is published afterwards.
  public nonisolated func close() {
    mailbox.close()
    signal()
  }

  private nonisolated func signal() {
    // A server's thread does not stay for the work of others: it leaves that to the pool.
    if queue.signal() { run(steps: 16) }
  }

  // MARK: Turns

  /// How far the mailbox's first delivery has been taken up.
  private struct Taking {
    var index = 0
    var root: Ledger.Root?
  }

  private func takeUp() {
    while let delivery = mailbox.peek(), takeNext(of: delivery) {}
  }

  /// Takes up one Input; false where it has to wait.
  private func takeNext(of delivery: Delivery) -> Bool {
    guard let turns else { return false }
    guard taking.index < delivery.count else {
      finishTaking(delivery)
      return true
    }
    let index = taking.index
    let overlaps = turns.overlaps(delivery, at: index)
    guard overlaps || !isBusy else { return false }
    if index == 0, let condition = delivery.condition, !condition(version) {
      mailbox.removeFirst(skipping: delivery.count)
      delivery.progress(.refused)
      return true
    }
    mailbox.taken()
    taking.index += 1
    let isLast = taking.index == delivery.count
    if turns.take(delivery, at: index) {
      publish()
      if isLast { finishTaking(delivery) }
    } else {
      let root = taking.root ?? ledger.begin()
      taking.root = root
      ledger.hold(root)
      startWork(on: delivery, at: index, root: root, alone: !overlaps)
      if isLast { finishTaking(nil) }
    }
    return true
  }

  /// The mailbox's first delivery has been taken up whole.
  ///
  /// One without work is told so here.
  private func finishTaking(_ delivery: Delivery?) {
    let root = taking.root
    taking = Taking()
    mailbox.removeFirst(skipping: 0)
    if let root { release(root) }
    delivery?.progress(.taken(settled: true))
  }

  private func startWork(
    on delivery: Delivery,
    at index: Int,
    root: Ledger.Root,
    alone: Bool
  ) {
    turnsStarted += 1
    let turn = turnsStarted
    if alone { isBusy = true }
    tasks[turn] = Task {
      // All of it within: taking up a preference ends a job.
      await withTaskExecutorPreference(pool) {
        if index == delivery.count - 1 { begun.append((delivery, root)) }
        await turns?.work(on: delivery, at: index) { publish() }
        tasks[turn] = nil
        if alone { isBusy = false }
        release(root)
      }
    }
  }

  private func release(_ root: Ledger.Root) {
    if ledger.release(root) { settled.append(root) }
  }

  // MARK: Publishing

  private func publish() {
    if turns?.publish(as: version + 1) == true { version += 1 }
  }

  /// Tells everybody what the job that has just ended has brought.
  private func report() {
    if !begun.isEmpty {
      for (delivery, root) in begun {
        let isSettled = ledger.isSettled(root)
        if !isSettled { awaitingSettled[root] = delivery }
        delivery.progress(.taken(settled: isSettled))
      }
      begun.removeAll(keepingCapacity: true)
    }
    if ledger.isIdle != wasIdle {
      wasIdle = ledger.isIdle
      settledChanged(wasIdle)
    }
    if !settled.isEmpty {
      for root in settled { awaitingSettled.removeValue(forKey: root)?.progress(.settled) }
      settled.removeAll(keepingCapacity: true)
    }
  }

  private func shutDown() {
    guard turns != nil else { return }
    turns = nil
    for task in tasks.values { task.cancel() }
    ledger.clear()
    let unanswered = begun.map(\.delivery) + awaitingSettled.values + mailbox.removeAll()
    begun = []
    awaitingSettled = [:]
    for delivery in unanswered { delivery.progress(.closed) }
  }
}

// MARK: - Executor

extension Engine: SerialExecutor {
  /// The engine itself: it is its own executor.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { asUnownedSerialExecutor() }

  /// The engine as an executor.
  public nonisolated func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  /// Takes a job; called by Swift's runtime.
  public nonisolated func enqueue(_ job: consuming ExecutorJob) {
    if queue.add(UnownedJob(job)) { runInPool() }
  }

  /// Asked by the runtime where it cannot tell by itself: between jobs, and for a thread that runs a
  /// turn outside any task.
  public nonisolated func isIsolatingCurrentContext() -> Bool? {
    queue.isRunByThisThread
  }

  /// Traps unless the calling thread runs the engine; called by Swift's runtime.
  public nonisolated func checkIsolated() {
    precondition(queue.isRunByThisThread, "not on the engine")
  }

  private nonisolated func runInPool() {
    Task.detached(executorPreference: pool) { self.run(steps: 256) }
  }

  /// Runs what there is; after a number of steps, goes on in the pool.
  private nonisolated func run(steps: Int) {
    queue.begin()
    for _ in 0..<steps {
      switch queue.next() {
      case .signal:
        assumeIsolated { $0.signalled() }
      case .job(let job):
        run(job)
        assumeIsolated { $0.jobEnded() }
      case nil:
        return
      }
    }
    queue.pause()
    runInPool()
  }

  private nonisolated func run(_ job: UnownedJob) {
    let executor = asUnownedSerialExecutor()
    if let pool {
      // The runtime would otherwise take each return to the engine for a change of executors, and
      // end the job there.
      job.runSynchronously(isolatedTo: executor, taskExecutor: pool.asUnownedTaskExecutor())
    } else {
      job.runSynchronously(on: executor)
    }
  }

  private func signalled() {
    if mailbox.isClosed { shutDown() } else { takeUp() }
    report()
  }

  private func jobEnded() {
    publish()
    report()
    takeUp()
    report()
  }
}
