/// Effects, and the actions that they send.
extension Engine {
  /// An action that waits to be processed as a turn.
  struct SentAction {
    let action: any Sendable
    let batch: EffectGraph.BatchID?
    let trace: TraceContext?
    /// The run that sent it; nil where an effect was nothing but the action.
    var sender: EffectGraph.NodeID?
    /// Whether the run that sent it has nothing else to do.
    var isLast = false
  }

  /// Takes up the effects that a turn asks for.
  func start(
    _ effects: [EffectStep],
    for batch: EffectGraph.BatchID?,
    _ trace: TraceContext?
  ) {
    let effects = trace.map { trace in effects.map { $0.traced(trace) } } ?? effects
    if effects.contains(where: \.mayStartWork) { turn.asksForWork = true }
    change(within: trace) { graph, commands in
      for effect in effects { graph.start(effect, for: batch, &commands) }
    }
  }

  /// Changes the graph, and carries out what it commands.
  func change(
    within trace: TraceContext? = nil,
    _ body: (inout EffectGraph, inout [EffectGraph.Command]) -> Void
  ) {
    var commands: [EffectGraph.Command] = []
    body(&graph, &commands)
    for command in commands {
      switch command {
      case .start(let node, let work): turn.work.append(.effect(node, work))
      case .stop(let node): stop(node)
      case .process(let action, let batch):
        actions.append(SentAction(action: action, batch: batch, trace: trace))
      case .settled(let batch): settled.append(batch)
      }
    }
  }

  /// Starts an effect's work; what was cancelled meanwhile does not even begin.
  func startEffect(_ node: EffectGraph.NodeID, _ work: EffectRun.Work) {
    guard graph.isLive(node) else { return }
    tasks[node] = task(for: work, node)
  }

  private func task(for work: EffectRun.Work, _ node: EffectGraph.NodeID) -> Task<Void, Never> {
    guard case .traced(let work, let trace) = work else {
      return Task.detached(executorPreference: pool, operation: operation(of: work, node))
    }
    let operation = operation(of: work, node)
    return Task.detached(executorPreference: pool) {
      await TraceContext.$current.withValue(trace, operation: operation)
    }
  }

  /// What an effect's task does.
  private func operation(
    of work: EffectRun.Work,
    _ node: EffectGraph.NodeID
  ) -> @concurrent @Sendable () async -> Void {
    let time = time
    // Weak: what runs keeps nothing alive, and ends with the engine.
    let send: @concurrent @Sendable (any Sendable) async -> Void = { [weak self] action in
      await self?.receive(action, from: node, isLast: false)
    }
    let now = time.now
    return { [weak self] in
      var failure: SendableError?
      do {
        switch work {
        case .operation(let operation): if !Task.isCancelled { try await operation(send) }
        case .action(let operation):
          if !Task.isCancelled, let action = try await operation() {
            await self?.receive(action, from: node, isLast: true)
          }
        case .pause(let duration): try await time.sleep(until: now + duration)
        case .ticks(let interval, let action):
          var next = now + interval
          while true {
            try await time.sleep(until: next)
            await self?.tick(action, from: node)
            next += interval
            // After a pause of the process it does not make up for each tick that it missed.
            let late = time.now - next
            if late >= .zero { next += interval * (Int(late / interval) + 1) }
          }
        // Once is enough: the outer one is taken off.
        case .traced: break
        }
      } catch is CancellationError {
      } catch {
        failure = SendableError(error)
      }
      await self?.end(node, failure)
    }
  }

  /// A timer's action; left out while the one before it waits to be processed.
  private func tick(_ action: any Sendable, from node: EffectGraph.NodeID) {
    if actions.contains(where: { $0.sender == node }) { return }
    receive(action, from: node, isLast: false)
  }

  /// An action that a running effect sends; processed after those that came before it.
  private func receive(_ action: any Sendable, from node: EffectGraph.NodeID, isLast: Bool) {
    guard graph.isLive(node) else { return }
    let batch = graph.batch(of: node)
    graph.retain(batch)
    // In the task of the effect, which has its trace.
    actions.append(
      SentAction(
        action: action,
        batch: batch,
        trace: TraceContext.current,
        sender: node,
        isLast: isLast
      )
    )
    processActions()
  }

  /// Cancels an effect's work; what it has sent and was not processed yet is dropped.
  private func stop(_ node: EffectGraph.NodeID) {
    tasks.removeValue(forKey: node)?.cancel()
    guard !actions.isEmpty else { return }
    for action in actions.removeAll(where: { $0.sender == node }) { release(action.batch) }
  }

  /// An effect's work is over.
  private func end(_ node: EffectGraph.NodeID, _ failure: SendableError?) {
    guard graph.isLive(node) else { return }
    beginTurn()
    tasks[node] = nil
    let batch = graph.batch(of: node)
    let trace = TraceContext.current
    var effects = failure.flatMap { turns?.handle($0) } ?? []
    if let trace { effects = effects.map { $0.traced(trace) } }
    if failure != nil, publish() != nil { effects = [] }
    if effects.contains(where: \.mayStartWork) { turn.asksForWork = true }
    change(within: trace) { graph, commands in
      // Over before its error is answered: a new try under its id must not find it running.
      graph.retain(batch)
      graph.end(node, &commands)
      for effect in effects { graph.start(effect, for: batch, &commands) }
      graph.release(batch, &commands)
    }
    processActions()
  }

  /// Processes the actions that are there, each as a turn of its own, up to a number of them.
  func processActions() {
    for _ in 0..<64 {
      guard !actions.isEmpty, let turns, !committer.isFull, let sent = actions.popFirst() else {
        return
      }
      beginTurn()
      let effects = TraceContext.within(sent.trace) { turns.apply(sent.action) }
      let unfit = publish(after: sent.isLast ? sent.sender : nil)
      if unfit == nil, !effects.isEmpty { start(effects, for: sent.batch, sent.trace) }
      release(sent.batch)
    }
    _ = queue.signal()
  }
}
