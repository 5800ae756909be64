/// Runs effects, and processes the actions that they send.
extension Engine {
  /// The task of an effect that runs.
  struct RunningTask {
    let task: Task<Void, Never>
    let began: Duration
    let kind: WatchedWork.Kind
  }

  /// A sent action that waits to be processed as a turn.
  struct SentAction {
    let action: any Sendable
    let batch: EffectGraph.BatchID?
    let trace: TraceContext?
    /// The child that sent the action, for an action without a run.
    var scope: EffectScope?
    /// The run that sent the action; nil if the effect consisted of the action only.
    var sender: EffectGraph.NodeID?
    /// Whether the run ends with this action.
    var isLast = false
    /// Whether the run's work has ended, and its error: the run ends after this action.
    var hasEnded = false
    var failure: SendableError?
  }

  /// Starts the effects that a turn asks for; their work waits for the commit.
  func start(
    _ effects: [EffectStep],
    for batch: EffectGraph.BatchID?,
    _ trace: TraceContext?
  ) {
    let effects = trace.map { trace in effects.map { $0.traced(trace) } } ?? effects
    if effects.contains(where: \.mayStartWork) { turn.asksForWork = true }
    change(within: trace) { graph in
      for effect in effects { graph.start(effect, for: batch) }
    }
  }

  /// Changes the graph, and executes its commands.
  func change(within trace: TraceContext? = nil, _ body: (inout EffectGraph) -> Void) {
    body(&graph)
    for command in graph.takeCommands() {
      switch command {
      case .start(let node, let work):
        turn.work.append(.effect(node, work))
        if watch != nil { noteStart(of: node, work) }
      case .stop(let node): stop(node)
      case .process(let action, let batch, let scope):
        sentActions.append(SentAction(action: action, batch: batch, trace: trace, scope: scope))
      case .alarm(let step, let batch, let scope):
        if let failure = carryOut(step, within: scope, for: batch) {
          startFailing(failure, for: batch, scope)
        }
      case .drop(let scopes):
        let dropped = sentActions.removeAll { $0.scope?.isWithin(scopes) == true }
        for action in dropped { release(action.batch) }
        for scope in scopes { cancelAlarms(within: scope) }
      case .settled(let batch):
        settled.append(batch)
        releaseHeld(behind: batch)
      }
    }
  }

  /// Starts an effect's work unless it was cancelled meanwhile.
  func startEffect(_ node: EffectGraph.NodeID, _ work: EffectRun.Work) {
    guard graph.isLive(node) else { return }
    if watch?.knows(node) == false { noteStart(of: node, work) }
    let now = time.now
    tasks[node] = RunningTask(task: task(for: work, node, now), began: now, kind: work.kind)
  }

  private func task(
    for work: EffectRun.Work,
    _ node: EffectGraph.NodeID,
    _ now: Duration
  ) -> Task<Void, Never> {
    guard case .traced(let work, let trace) = work else {
      return Task.detached(executorPreference: pool, operation: operation(of: work, node, now))
    }
    let operation = operation(of: work, node, now)
    return Task.detached(executorPreference: pool) {
      await TraceContext.$current.withValue(trace, operation: operation)
    }
  }

  /// Returns the body of an effect's task.
  private func operation(
    of work: EffectRun.Work,
    _ node: EffectGraph.NodeID,
    _ now: Duration
  ) -> @concurrent @Sendable () async -> Void {
    let time = time
    // Weak: running work does not keep the engine alive.
    let send: @concurrent @Sendable (any Sendable) async -> Void = { [weak self] action in
      await self?.receive(action, from: node, isLast: false)
    }
    var note = runNote
    note.code = .effect
    return { [weak self, note] in
      let place = TaskNotes.begin(note)
      defer { TaskNotes.end(place) }
      var failure: SendableError?
      do {
        switch work {
        case .operation(let operation): if !Task.isCancelled { try await operation(send) }
        case .action(let operation):
          if !Task.isCancelled, let action = try await operation() {
            await self?.receive(action, from: node, isLast: true)
          }
        case .pause(let duration): try await time.sleep(until: now.adding(duration))
        case .ticks(let interval, let action):
          guard interval > .zero else { throw UselessInterval(interval: interval) }
          var next = now.adding(interval)
          while true {
            try await time.sleep(until: next)
            await self?.tick(action, from: node)
            // After a pause of the process, missed ticks are skipped.
            let late = max(.zero, time.now.subtracting(next))
            let missed = late.attoseconds - late.attoseconds % interval.attoseconds
            next = next.adding(interval).adding(Duration(attoseconds: missed))
          }
        // Unwrapped above; never nested.
        case .traced: break
        }
      } catch is CancellationError {
      } catch {
        failure = SendableError(error)
      }
      await self?.end(node, failure)
    }
  }

  /// Receives a timer's action; skips it while the previous one waits to be processed.
  private func tick(_ action: any Sendable, from node: EffectGraph.NodeID) {
    if sentActions.contains(where: { $0.sender == node }) { return }
    receive(action, from: node, isLast: false)
  }

  /// Receives an action from a running effect, to be processed in order of arrival.
  private func receive(_ action: any Sendable, from node: EffectGraph.NodeID, isLast: Bool) {
    guard graph.isLive(node) else { return }
    let batch = graph.batch(of: node)
    graph.retain(batch)
    // Runs in the task of the effect, which carries its trace.
    sentActions.append(
      SentAction(
        action: graph.scope(of: node).embed(action),
        batch: batch,
        trace: TraceContext.current,
        sender: node,
        isLast: isLast
      )
    )
    processActions()
  }

  /// Cancels an effect's work, and drops its unprocessed actions.
  private func stop(_ node: EffectGraph.NodeID) {
    tasks.removeValue(forKey: node)?.task.cancel()
    noteEnd(of: node, .cancelled)
    guard !sentActions.isEmpty else { return }
    for action in sentActions.removeAll(where: { $0.sender == node }) { release(action.batch) }
  }

  /// Ends an effect whose work is over, and handles its error.
  private func end(_ node: EffectGraph.NodeID, _ failure: SendableError?) {
    // Its sent actions come first: until State reflects them, the work is named as running, and can be
    // cancelled.
    let isWaiting = sentActions.changeLast(where: { $0.sender == node }) { last in
      (last.hasEnded, last.failure) = (true, failure)
    }
    if isWaiting { return }
    finish(node, failure)
    processActions()
  }

  /// Removes an effect whose actions are all processed, and starts the effects that respond to its error.
  private func finish(_ node: EffectGraph.NodeID, _ failure: SendableError?) {
    guard graph.isLive(node) else { return }
    beginTurn()
    tasks[node] = nil
    noteEnd(of: node, failure == nil ? .ended : .failed)
    let batch = graph.batch(of: node)
    let trace = TraceContext.current
    let (name, scope) = (graph.name(of: node), graph.scope(of: node))
    isForeign = batch?.isForeign == true
    if failure != nil { noteRun(.failure) }
    var effects = failure.flatMap { runner?.handle($0, of: name, within: scope) } ?? []
    if let trace { effects = effects.map { $0.traced(trace) } }
    let refusal = prepareAlarms(in: &effects)
    if failure != nil, publish() ?? refusal != nil { effects = [] }
    if effects.contains(where: \.mayStartWork) { turn.asksForWork = true }
    change(within: trace) { graph in
      // Ended before the effects of its error start: a retry under the same id must not find it running.
      graph.retain(batch)
      graph.end(node)
      for effect in effects { graph.start(effect, for: batch) }
      graph.release(batch)
    }
  }

  /// Processes sent actions, each as a turn of its own, up to a limit; the rest waits for a signal.
  func processActions() {
    for _ in 0..<64 {
      guard !sentActions.isEmpty, let runner, !committer.isFull, let sent = sentActions.popFirst()
      else {
        return
      }
      beginTurn()
      isForeign = sent.batch?.isForeign == true
      let began = turnBegin
      noteRun(.action)
      var effects = TraceContext.within(sent.trace) { runner.apply(sent.action) }
      watch?.sender = sent.sender
      let refusal = prepareAlarms(in: &effects)
      let invalid = publish(after: sent.isLast ? sent.sender : nil) ?? refusal
      reportIfSlow(since: began) { caseName(of: sent.action) }
      // Noted only now: a turn that was rolled back is not noted.
      noteEvents()
      watch?.sender = nil
      if invalid == nil, !effects.isEmpty { start(effects, for: sent.batch, sent.trace) }
      release(sent.batch)
      if sent.hasEnded, let node = sent.sender {
        TraceContext.within(sent.trace) { finish(node, sent.failure) }
      }
    }
    _ = queue.signal()
  }
}
