import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The engine of one view model: processes Inputs in order, owns all tasks, and makes a result of each
/// turn.
///
/// An engine is an actor that is its own executor. The thread that submits an Input to an idle engine
/// runs the turn itself, up to the first suspension; otherwise the running thread takes the Input from
/// the mailbox. A suspension ends a job, and State is compared at the end of each job.
///
/// Close an engine to cancel its work and free the view model.
package actor Engine {
  nonisolated let queue = RunQueue()
  nonisolated let mailbox: Mailbox
  private nonisolated let runtime: EngineRuntime
  nonisolated let committer: any TurnCommitter
  /// The note of the session, for each thread that runs the engine.
  nonisolated let runNote: RunNote
  /// The work of turns that were committed on another thread.
  nonisolated let releasedWork = Mutex<[Work]>([])

  /// The reason why the first State is invalid; nil if it is valid.
  package nonisolated let invalid: InvalidState?

  /// The runner of the view model's turns; nil once the engine is closed.
  var runner: (any TurnRunner)?
  var version: Int

  // Not checked for overlapping accesses, here and below: only the engine changes these properties, and calls
  // no other code meanwhile. The checks would cost a tenth of a turn.

  /// The result of the current turn, until it is handed over.
  @exclusivity(unchecked) var turn = TurnResult()
  @exclusivity(unchecked) var graph = EffectGraph()
  /// The alarms; nil until one is set, if the view model returns effects.
  var alarms: AlarmBook?
  var currentBatch = CurrentBatch()
  /// Whether a foreign Input has caused the current turn: see ``InputOrigin/isForeign``.
  var isForeign = false
  /// Whether State may list visitors: then the session is woken after a crash, to be told who has left.
  var hasVisitors = false
  var isBusy = false
  var wasSettled = true

  // Placed among the other flags, where they take no extra memory: each session has an engine.

  /// Whether recent States took much work to write: Inputs then run in the pool, which serves other engines
  /// in between.
  nonisolated let isRenderingCostly = Atomic(false)

  /// Whether the engine closes because the session is over.
  nonisolated let isOver = Atomic(false)

  /// Whether someone watches; `isWatchDue` tells that ``watch`` must be updated.
  nonisolated let isWatched = Atomic(false)
  nonisolated let isWatchDue = Atomic(false)

  /// Whether a new view model begins with actions: see ``ViewModel/started()``.
  package nonisolated let beginsWithActions: Bool

  /// Whether the view model follows sessions.
  package nonisolated let followsSessions: Bool

  /// Whether the committer asks for reports on processed Inputs.
  nonisolated let reportsInputs: Bool

  /// The duration from which a turn is reported; nil if none is.
  nonisolated let slowTurn: Duration?
  /// Whether a turn of the current job was reported.
  var hasReportedSlowTurn = false

  /// The notes for the watchers; nil unless someone watches.
  var watch: EngineWatch?

  var tasks: [EffectGraph.NodeID: RunningTask] = [:]
  @exclusivity(unchecked) var inputWork: [Int: InputWork] = [:]
  var inputWorkCount = 0

  /// The actions that effects have sent, in order of arrival.
  @exclusivity(unchecked) var sentActions = FIFO<SentAction>()

  /// The batches whose last Input was processed in the current job, to be answered at its end.
  @exclusivity(unchecked) var processed: [(batch: InputBatch, id: EffectGraph.BatchID)] = []
  @exclusivity(unchecked) var settled: [EffectGraph.BatchID] = []
  /// The Inputs of the current job that are to be reported.
  @exclusivity(unchecked) var reported: [ProcessedInput] = []
  var unsettled: [EffectGraph.BatchID: InputBatch] = [:]

  nonisolated var pool: (any TaskExecutor)? { runtime.executor }
  nonisolated var time: any TimeSource { runtime.time }
  nonisolated var date: Date { runtime.date() }

  /// Creates a view model.
  ///
  /// - Parameters:
  ///   - dependencies: the clock, executor and interceptors.
  ///   - mailboxLimit: the number of Inputs that may wait.
  ///   - committer: gets the first State before this returns, and then the result of each turn.
  ///   - resuming: the State and version to continue from, in place of the first State. Call
  ///     ``prepare(_:)`` and ``wake()`` afterwards, as for a new view model that ``beginsWithActions``.
  ///   - alarms: the alarms that are set.
  ///   - render: converts a State to the committer's form; called once for each version.
  ///   - record: converts an event to the JSON that is stored with the turn; nil to store none.
  ///   - isRecorded: whether events are recorded even while nobody watches.
  ///   - trace: gets all events, after the interceptors; called on the engine.
  ///   - make: creates the view model, which from then on belongs to the engine.
  /// - Throws: any error of `make`.
  package init<Model: ViewModel>(
    _ dependencies: Dependencies = Dependencies(),
    mailboxLimit: Int = .max,
    committer: any TurnCommitter,
    resuming: ResumePoint<Model.State>? = nil,
    alarms: [Alarm] = [],
    render: @escaping @Sendable (_ state: Model.State) -> any RenderedState,
    record: (@Sendable (TraceEvent<Model>) -> [UInt8]?)? = nil,
    isRecorded: Bool = true,
    trace: (@Sendable (TraceEvent<Model>) -> Void)? = nil,
    _ make: @Sendable () throws -> Model
  ) rethrows {
    version = resuming?.version ?? 1
    reportsInputs = committer.reportsInputs
    slowTurn = committer.slowTurn
    let context = EngineContext(
      render: render,
      record: record,
      isRecorded: isRecorded && record != nil,
      trace: combined(dependencies.interceptors, trace),
      time: dependencies.time,
      namesInputs: reportsInputs,
      resuming: resuming
    )
    let model = try make()
    let requests = (model as? any AlarmSetting)?.alarmRequests
    let followsSessions = model is any SessionFollowing
    self.followsSessions = followsSessions
    if requests != nil || !alarms.isEmpty || followsSessions {
      self.alarms = AlarmBook(alarms, requests: requests, followsSessions: followsSessions)
    }
    let runner = Model.turnRunner(of: model, in: context).runner
    self.runner = runner
    if let book = self.alarms, !alarms.isEmpty {
      runner.findChildren { !book.names(within: $0).isEmpty }
    }
    mailbox = Mailbox(limit: mailboxLimit)
    runtime = dependencies.runtime
    self.committer = committer
    runNote = committer.runNote
    let shown = runner.shown
    invalid = shown.invalid
    beginsWithActions = runner.beginsWithActions
    isRenderingCostly.store(shown.wasCostly, ordering: .relaxed)
    if committer.actionCoding != nil { self.alarms?.holdUnsettled(in: &graph) }
    committer.begin(with: shown, version: version)
  }

  /// Creates a view model in process, and reports its States and whether it is settled.
  ///
  /// - Throws: any error of `make`.
  package init<Model: ViewModel>(
    _ dependencies: Dependencies = Dependencies(),
    mailboxLimit: Int = .max,
    resuming: ResumePoint<Model.State>? = nil,
    alarms: [Alarm] = [],
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
      alarms: alarms,
      render: { StateValue($0) },
      trace: trace,
      make
    )
  }

  deinit {
    for running in tasks.values { running.task.cancel() }
  }

  /// Puts the launch of the view model before any Input: see ``ViewModel/started()`` and
  /// ``ViewModel/restored(_:)``.
  ///
  /// The launch runs with the next Input, ``resume()`` or ``wake()``.
  package nonisolated func prepare(_ launch: Launch) {
    mailbox.addFirst(InputBatch(launch))
  }

  /// Continues on this thread.
  package nonisolated func resume() {
    if queue.signal() { runHere() }
  }

  /// Continues in the pool, for callers that must not run turns.
  package nonisolated func wake() {
    if queue.signal() { runInPool() }
  }

  /// The number of Inputs that wait to be processed.
  package nonisolated var waitingInputs: Int { mailbox.waitingCount }

  /// Cancels all work, frees the view model and notifies the owners of all batches.
  ///
  /// Nothing is committed after the current job. A view model whose `perform` ignores cancellation is freed
  /// when `perform` returns.
  ///
  /// - Parameter isOver: whether the session is over, so that a ``SessionEnding`` view model is told.
  package nonisolated func close(isOver: Bool = false) {
    if isOver { self.isOver.store(true, ordering: .relaxed) }
    mailbox.close()
    // Runs the view model's end in the pool, since the caller may be a store's thread or a server's loop.
    if isOver { wake() } else { resume() }
  }

  /// Closes an engine that has no work, if the owner agrees; returns whether it did.
  ///
  /// No Input is lost: later Inputs are not accepted.
  package func closeIfAtRest(_ mayClose: @Sendable () -> Bool) -> Bool {
    guard runner != nil, turn.isEmpty, tasks.isEmpty, inputWork.isEmpty, sentActions.isEmpty,
      processed.isEmpty, graph.isIdle(holding: alarms?.outbox.holdCount ?? 0),
      alarms?.outbox.awaitsReceiver != true, mayClose(),
      mailbox.closeIfEmpty()
    else { return false }
    shutDown()
    return true
  }

  /// Cancels the running work of a batch; its waiting Inputs stay in the mailbox.
  ///
  /// State does not change: a cancelled effect sends nothing more.
  package func cancel(_ batch: InputBatch) {
    for (number, work) in inputWork where work.batch === batch {
      inputWork[number]?.isCancelled = true
      work.task?.cancel()
    }
    guard let id = unsettled.first(where: { $0.value === batch })?.key else { return }
    change { $0.cancel(id) }
    endTurn()
  }

  /// Cancels effects by their ids, including those of children; returns the ids of which no effect was
  /// running.
  package func cancel(_ ids: [EffectID]) -> [EffectID] {
    let running = Dictionary(grouping: graph.ids.keys) { $0.within(nil) }
    let missing = ids.filter { running[$0] == nil }
    change { graph in
      for id in ids.flatMap({ running[$0] ?? [] }) { graph.cancel(id) }
    }
    endTurn()
    return missing
  }

  /// Descriptions of the running work, for tests and traces.
  package var running: [String] {
    let inputs = inputWork.count
    return graph.running
      + (inputs == 0 ? [] : ["the work of \(inputs) Input\(inputs == 1 ? "" : "s")"])
  }
}

/// Returns one function for all observers; nil without any.
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
