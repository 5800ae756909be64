/// Effects, and the actions that they send.
extension Engine {
  /// An action that waits to be processed as a turn.
  struct SentAction {
    let action: any Sendable
    let batch: EffectGraph.BatchID?
    /// The run that sent it; nil where an effect was nothing but the action.
    var sender: EffectGraph.NodeID?
    /// Whether the run that sent it has nothing else to do.
    var isLast = false
  }

  /// Takes up the effects that a turn asks for.
  func start(_ effects: [EffectStep], for batch: EffectGraph.BatchID?) {
    if effects.contains(where: \.mayStartWork) { turn.asksForWork = true }
    change { graph, commands in
      for effect in effects { graph.start(effect, for: batch, &commands) }
    }
  }

  /// Changes the graph, and carries out what it commands.
  func change(_ body: (inout EffectGraph, inout [EffectGraph.Command]) -> Void) {
    var commands: [EffectGraph.Command] = []
    body(&graph, &commands)
    for command in commands {
      switch command {
      case .start(let node, let work): turn.work.append(.effect(node, work))
      case .stop(let node): stop(node)
      case .process(let action, let batch): actions.append(SentAction(action: action, batch: batch))
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
    let time = time
    // Weak: what runs keeps nothing alive, and ends with the engine.
    let send: @concurrent @Sendable (any Sendable) async -> Void = { [weak self] action in
      await self?.receive(action, from: node, isLast: false)
    }
    let now = time.now
    return Task.detached(executorPreference: pool) { [weak self] in
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
    actions.append(SentAction(action: action, batch: batch, sender: node, isLast: isLast))
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
    var effects = failure.flatMap { turns?.handle($0) } ?? []
    if failure != nil, publish() != nil { effects = [] }
    if effects.contains(where: \.mayStartWork) { turn.asksForWork = true }
    change { graph, commands in
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
      let effects = turns.apply(sent.action)
      let unfit = publish(after: sent.isLast ? sent.sender : nil)
      if unfit == nil, !effects.isEmpty { start(effects, for: sent.batch) }
      release(sent.batch)
    }
    _ = queue.signal()
  }
}
