/// Runs one view model: takes up its Inputs in order, keeps its tasks, and publishes its State.
///
/// An engine is an actor with an executor of its own. The thread that brings an Input to an engine at
/// rest runs the turn itself, up to its first suspension; otherwise whoever runs the engine finds the
/// Input in the mailbox. A suspension is the end of a job, and at each job's end State is compared
/// with what was published last.
///
/// Closing cancels what runs and frees the view model; an engine that works has to be closed.
///
/// Its parts: Inputs and their turns, effects and the actions that they send, jobs and the executor.
public actor Engine {
  nonisolated let queue = RunQueue()
  nonisolated let mailbox: Mailbox
  nonisolated let pool: (any TaskExecutor)?
  nonisolated let passage: Passage?
  nonisolated let time: any TimeSource
  let settledChanged: @Sendable (Bool) -> Void

  /// The view model at work; nil once the engine has closed.
  var turns: (any TurnTaking)?
  var version: Int

  var ledger = Ledger()
  var taking = Taking()
  var isBusy = false
  /// Effects that begin once what was published may be seen.
  var held: [Start] = []
  var tasks: [Ledger.Token: Task<Void, Never>] = [:]
  var workTasks: [Int: (delivery: Delivery, task: Task<Void, Never>)] = [:]
  var workStarted = 0

  /// Actions that effects have sent, in the order in which they came.
  var actions = FIFO<SentAction>()

  /// Deliveries that were taken up in the job that is running, to be told so at its end.
  var begun: [(delivery: Delivery, root: Ledger.Root)] = []
  var settled: [Ledger.Root] = []
  var awaitingSettled: [Ledger.Root: Delivery] = [:]
  var wasSettled = true

  /// Creates a view model and publishes its first State as version 1, before returning.
  ///
  /// - Parameters:
  ///   - dependencies: the time, pool and interceptors to use.
  ///   - mailboxLimit: how many Inputs may wait.
  ///   - settled: told whenever it changes whether nothing that was asked for is left.
  ///   - published: told each State that differs from the one before; versions grow by one.
  ///   - trace: told everything that happens, beside the interceptors.
  ///   - make: creates the view model, which from then on is the engine's alone.
  ///
  /// The first State is published by the calling thread; after that, the closures are called on the
  /// engine, in order. They must neither wait nor call the engine.
  public init<Model: ViewModel>(
    _ dependencies: Dependencies = Dependencies(),
    mailboxLimit: Int = .max,
    settled: @escaping @Sendable (Bool) -> Void = { _ in },
    published: @escaping @Sendable (_ state: Model.State, _ version: Int) -> Void,
    trace: (@Sendable (TraceEvent<Model>) -> Void)? = nil,
    _ make: @Sendable () throws -> Model
  ) rethrows {
    try self.init(
      dependencies,
      mailboxLimit: mailboxLimit,
      gate: nil,
      resuming: nil,
      settled: settled,
      published: published,
      trace: trace,
      make
    )
  }

  /// Creates a view model whose States stand somewhere before they are seen, or one that goes on from
  /// such a State.
  ///
  /// The gate is told of each State before it is published, and asked before effects start. What is
  /// resumed is published in place of the first State; ``prepare(_:)`` and ``resume()`` are to follow.
  package init<Model: ViewModel>(
    _ dependencies: Dependencies,
    mailboxLimit: Int,
    gate: (any OutputGate)?,
    resuming: Resumption<Model.State>?,
    settled: @escaping @Sendable (Bool) -> Void,
    published: @escaping @Sendable (_ state: Model.State, _ version: Int) -> Void,
    trace: (@Sendable (TraceEvent<Model>) -> Void)? = nil,
    _ make: @Sendable () throws -> Model
  ) rethrows {
    version = resuming?.version ?? 1
    let reporting = Reporting(
      published: published,
      trace: combined(dependencies.interceptors, trace),
      time: dependencies.time,
      resuming: resuming
    )
    turns = Model.turns(of: try make(), reporting: reporting).taking
    passage = gate.map(Passage.init)
    mailbox = Mailbox(limit: mailboxLimit)
    pool = dependencies.executor
    time = dependencies.time
    settledChanged = settled
  }

  deinit {
    for task in tasks.values { task.cancel() }
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

  /// Has the view model go on before any Input: see ``ViewModel/restored(_:)``.
  ///
  /// Whoever comes first gets it going, an Input or ``resume()``.
  package nonisolated func prepare(_ interrupted: Interrupted) {
    mailbox.addFirst(Delivery(resuming: interrupted))
  }

  /// Lets the view model go on.
  package nonisolated func resume() {
    signal()
  }

  /// How many Inputs wait to be taken up.
  package nonisolated var waitingInputs: Int { mailbox.waitingCount }

  /// Cancels what runs, frees the view model and tells all who wait.
  ///
  /// Nothing is published once the job that may be running has ended. A view model whose `perform` does
  /// not heed cancellation is freed when that returns.
  public nonisolated func close() {
    mailbox.close()
    signal()
  }

  nonisolated func signal() {
    // A server's thread does not stay for the work of others: it leaves that to the pool.
    if queue.signal() { run(steps: 8) }
  }

  /// Cancels what a delivery started and is not over; of its Inputs, those that wait stay.
  ///
  /// State stays as it is: an effect that is cancelled sends nothing more, not even that it was.
  public func cancel(_ delivery: Delivery) {
    for work in workTasks.values where work.delivery === delivery { work.task.cancel() }
    guard let root = awaitingSettled.first(where: { $0.value === delivery })?.key else { return }
    change { $0.cancel(root, &$1) }
    releaseHeld()
    report()
  }

  /// What is running, as it is to be named to a person; for tests and traces.
  public var running: [String] {
    let inputs = workTasks.count
    return ledger.running
      + (inputs == 0 ? [] : ["the work of \(inputs) Input\(inputs == 1 ? "" : "s")"])
  }

  /// An effect's work that is to begin.
  struct Start: Sendable {
    let token: Ledger.Token
    let work: EffectRun.Work
  }

  /// An action that waits to be taken as a turn.
  struct SentAction {
    let action: any Sendable
    let root: Ledger.Root?
    /// The run that sent it; nil where an effect was nothing but the action.
    var sender: Ledger.Token?
    /// Whether the run that sent it has nothing else to do.
    var isLast = false
  }

  /// How far the mailbox's first delivery has been taken up.
  struct Taking {
    var index = 0
    var root: Ledger.Root?
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
