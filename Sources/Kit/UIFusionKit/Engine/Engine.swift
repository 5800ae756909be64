import Synchronization

/// Runs one view model: processes its Inputs in order, keeps its tasks, and yields a result for each
/// turn.
///
/// An engine is an actor with an executor of its own. The thread that brings an Input to an engine at
/// rest runs the turn itself, up to its first suspension; otherwise whoever runs the engine finds the
/// Input in the mailbox. A suspension is the end of a job, and at each job's end State is compared
/// with what it was.
///
/// Closing cancels what runs and frees the view model; an engine that works has to be closed.
///
/// Its parts: Inputs and their turns, effects and the actions that they send, results and their
/// release, jobs and the executor.
package actor Engine {
  nonisolated let queue = RunQueue()
  nonisolated let mailbox: Mailbox
  private nonisolated let machine: Machine
  nonisolated let committer: any TurnCommitter
  nonisolated let inputReport: (@Sendable (InputRecord) -> Void)?
  /// Work whose turn was committed on another thread.
  nonisolated let released = Mutex<[Work]>([])

  /// Whether the newest State is large: Inputs are then processed in the pool, and other engines have their
  /// turn after each.
  nonisolated let hasLargeState = Atomic(false)

  /// Whether a new view model has anything to begin with: see ``ViewModel/started()``.
  package nonisolated let begins: Bool

  /// Why the first State cannot stand; nil where it can.
  package nonisolated let unfit: InvalidState?

  /// The view model at work; nil once the engine has closed.
  var turns: (any TurnTaking)?
  var version: Int

  // Not checked for overlapping accesses, here and below: only the engine's own code changes them, and
  // calls nobody while it does. The checks would cost a tenth of a turn.

  /// The result of the turn that runs, or has run and is not handed over yet.
  @exclusivity(unchecked) var turn = TurnResult()
  @exclusivity(unchecked) var graph = EffectGraph()
  var current = CurrentBatch()
  var isBusy = false
  var wasSettled = true
  var tasks: [EffectGraph.NodeID: Task<Void, Never>] = [:]
  @exclusivity(unchecked) var inputWork: [Int: InputWork] = [:]
  var inputWorkCount = 0

  /// Actions that effects have sent, in the order in which they came.
  @exclusivity(unchecked) var actions = FIFO<SentAction>()

  /// Batches whose last Input was processed in the job that runs, to be answered at its end.
  @exclusivity(unchecked) var processed: [(batch: InputBatch, id: EffectGraph.BatchID)] = []
  @exclusivity(unchecked) var settled: [EffectGraph.BatchID] = []
  /// Inputs of the job that runs, of which is to be told.
  @exclusivity(unchecked) var reported: [ProcessedInput] = []
  var unsettled: [EffectGraph.BatchID: InputBatch] = [:]

  nonisolated var pool: (any TaskExecutor)? { machine.executor }
  nonisolated var time: any TimeSource { machine.time }

  /// Creates a view model.
  ///
  /// - Parameters:
  ///   - dependencies: the time, pool and interceptors to use.
  ///   - mailboxLimit: how many Inputs may wait.
  ///   - committer: is handed the first State before this returns, and then the result of each turn.
  ///   - resuming: the State and version to go on from, in place of the first State; ``prepare(_:)``
  ///     and ``goOn()`` are to follow, as for a new view model that ``begins``.
  ///   - render: makes of a State what the committer wants; called once for each version.
  ///   - record: makes of an event the JSON that is stored with the turn; nil where nothing is stored.
  ///   - trace: told everything that happens, beside the interceptors; on the engine.
  ///   - make: creates the view model, which from then on is the engine's alone.
  package init<Model: ViewModel>(
    _ dependencies: Dependencies = Dependencies(),
    mailboxLimit: Int = .max,
    committer: any TurnCommitter,
    resuming: Resumption<Model.State>? = nil,
    render: @escaping @Sendable (_ state: Model.State) -> any RenderedState,
    record: (@Sendable (TraceEvent<Model>) -> [UInt8]?)? = nil,
    trace: (@Sendable (TraceEvent<Model>) -> Void)? = nil,
    _ make: @Sendable () throws -> Model
  ) rethrows {
    version = resuming?.version ?? 1
    let reporting = Reporting(
      render: render,
      record: record,
      trace: combined(dependencies.interceptors, trace),
      time: dependencies.time,
      namesInputs: dependencies.inputReport != nil,
      resuming: resuming
    )
    let taking = Model.turns(of: try make(), reporting: reporting).taking
    turns = taking
    mailbox = Mailbox(limit: mailboxLimit)
    machine = dependencies.machine
    inputReport = dependencies.inputReport
    self.committer = committer
    let shown = taking.shown
    unfit = shown.unfit
    begins = taking.begins
    hasLargeState.store(shown.isLarge, ordering: .relaxed)
    committer.begin(with: shown, version: version)
  }

  /// Creates a view model in process: its States and whether it is settled are told as they come.
  package init<Model: ViewModel>(
    _ dependencies: Dependencies = Dependencies(),
    mailboxLimit: Int = .max,
    resuming: Resumption<Model.State>? = nil,
    settled: @escaping @Sendable (Bool) -> Void = { _ in },
    published: @escaping @Sendable (_ state: Model.State, _ version: Int) -> Void,
    trace: (@Sendable (TraceEvent<Model>) -> Void)? = nil,
    _ make: @Sendable () throws -> Model
  ) rethrows {
    try self.init(
      dependencies,
      mailboxLimit: mailboxLimit,
      committer: ImmediateRelease(published: published, settled: settled),
      resuming: resuming,
      render: { StateValue($0) },
      trace: trace,
      make
    )
  }

  deinit {
    for task in tasks.values { task.cancel() }
  }

  /// Has the view model begin before any Input: see ``ViewModel/started()`` and
  /// ``ViewModel/restored(_:)``.
  ///
  /// Whoever comes first gets it going, an Input or ``resume()``.
  package nonisolated func prepare(_ beginning: Beginning) {
    mailbox.addFirst(InputBatch(beginning))
  }

  /// Lets the view model go on, on this thread.
  package nonisolated func resume() {
    if queue.signal() { run(steps: 8) }
  }

  /// Lets the engine go on, in the pool: for threads that have other things to do than to run turns.
  package nonisolated func goOn() {
    if queue.signal() { runInPool() }
  }

  /// How many Inputs wait to be processed.
  package nonisolated var waitingInputs: Int { mailbox.waitingCount }

  /// Cancels what runs, frees the view model and tells all who wait.
  ///
  /// Nothing is committed once the job that may be running has ended. A view model whose `perform` does
  /// not heed cancellation is freed when that returns.
  package nonisolated func close() {
    mailbox.close()
    resume()
  }

  /// Cancels what a batch started and is not over; of its Inputs, those that wait stay.
  ///
  /// State stays as it is: an effect that is cancelled sends nothing more, not even that it was.
  package func cancel(_ batch: InputBatch) {
    for (number, work) in inputWork where work.batch === batch {
      inputWork[number]?.isCancelled = true
      work.task?.cancel()
    }
    guard let id = unsettled.first(where: { $0.value === batch })?.key else { return }
    change { $0.cancel(id, &$1) }
    endTurn()
  }

  /// What is running, as it is to be named to a person; for tests and traces.
  package var running: [String] {
    let inputs = inputWork.count
    return graph.running
      + (inputs == 0 ? [] : ["the work of \(inputs) Input\(inputs == 1 ? "" : "s")"])
  }
}

/// One function for all who look on; nil where nobody does.
private func combined<Model: ViewModel>(
  _ interceptors: [any Interceptor],
  _ trace: (@Sendable (TraceEvent<Model>) -> Void)?
) -> (@Sendable (TraceEvent<Model>) -> Void)? {
  guard !interceptors.isEmpty else { return trace }
  return { event in
    for interceptor in interceptors { interceptor.intercept(event) }
    trace?(event)
  }
}
