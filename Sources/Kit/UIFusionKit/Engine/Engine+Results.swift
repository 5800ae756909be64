import Synchronization

/// Passes the results of turns to the committer, and starts their work after the commit.
extension Engine {
  /// Work that starts once the turn that asks for it is committed.
  enum Work: Sendable {
    case effect(EffectGraph.NodeID, EffectRun.Work)
    /// A change of an alarm, which is stored with the turn.
    case alarm(AlarmChange)
    /// The work of an Input, by its number.
    case input(Int)
    /// A session to follow, and the generation of the following.
    case follow(FollowingID, Int)
  }

  /// Begins a turn, and hands over the previous turn's result.
  ///
  /// An alarm's removal is stored in one entry with the effects of its action, or a crash between the two
  /// would lose the action.
  func beginTurn() {
    assert(queue.isRunByThisThread, "not on the engine")
    guard !turn.awaitsAction else { return turn.awaitsAction = false }
    if !turn.isEmpty { commitTurn() }
  }

  /// Adds a change of State to the turn's result, with the events that have led to it.
  ///
  /// Those of the next action may follow before the turn ends.
  ///
  /// - Parameter last: a run that ends with this turn, since it has sent its last action.
  /// - Returns: the reason if the State is invalid and was rolled back; otherwise nil.
  func publish(after last: EffectGraph.NodeID? = nil) -> InvalidState? {
    if let last { turn.endedRun = last }
    var requests = alarms?.requests?.take() ?? []
    if let refusal = prepareAlarms(in: &requests) { return refusal }
    guard let state = runner?.change(as: version + 1) else {
      startRequests(requests)
      return nil
    }
    if let invalid = state.invalid {
      runner?.rollBack()
      return invalid
    }
    // An asynchronous action may suspend right after the one before it has changed State.
    if turn.state != nil { commitTurn() }
    version += 1
    turn.state = state
    if committer.storesTurns {
      noteEvents()
      turn.trace = runner?.takeTrace() ?? []
    }
    isRenderingCostly.store(state.wasCostly, ordering: .relaxed)
    updateFollowing()
    startRequests(requests)
    return nil
  }

  /// Starts what a view model without effects has asked for.
  private func startRequests(_ requests: [EffectStep]) {
    if !requests.isEmpty { start(requests, for: isCausedByForeigner ? .foreign : nil, nil) }
  }

  /// Ends the turn, and hands over its result with the answers that are due.
  func endTurn() {
    assert(graph.commands.isEmpty)
    // A waiting Input alone does not make the view model unsettled, since it may be processed at once; but an
    // unsettled view model stays so while an Input waits.
    if graph.isSettled != wasSettled, wasSettled || mailbox.isEmpty {
      wasSettled.toggle()
      turn.isSettled = wasSettled
    }
    if !processed.isEmpty {
      for (batch, id) in processed {
        let isSettled = graph.isSettled(id)
        if !isSettled { unsettled[id] = batch }
        turn.answers.append(
          TurnResult.Answer(batch: batch, progress: .processed(isSettled: isSettled))
        )
      }
      processed.removeAll(keepingCapacity: true)
    }
    if !settled.isEmpty {
      for id in settled {
        guard let batch = unsettled.removeValue(forKey: id) else { continue }
        turn.answers.append(TurnResult.Answer(batch: batch, progress: .settled))
      }
      settled.removeAll(keepingCapacity: true)
    }
    if let alarms, alarms.timer == nil { waitForAlarms() }
    if !reported.isEmpty { sendReports() }
    noteEvents()
    if !turn.isEmpty || watch?.isEmpty == false { commitTurn() }
  }

  /// Completes the turn's result and hands it to the committer.
  private func commitTurn() {
    var result = TurnResult()
    swap(&result, &turn)
    guard let runner else { return result.withdraw() }
    result.engine = self
    result.version = version
    if let watch {
      noteEvents()
      result.notes = watch.take()
    }
    if result.isStored, committer.storesTurns {
      if result.state == nil { result.trace = runner.takeTrace() }
      if !graph.nodes.isEmpty || !inputWork.isEmpty {
        result.running = graph.names(besides: inputWork.count, after: result.endedRun)
        if graph.foreignCount > 0 || inputWork.values.contains(where: \.isForeign),
          !result.running.isEmpty
        {
          result.running.append(Interrupted.foreign)
        }
      }
      if hasVisitors { result.running.append(Interrupted.visitors) }
    }
    committer.commit(result)
  }

  /// Starts the work of a committed result; called on any thread, in the order of the commits.
  nonisolated func start(_ work: [Work]) {
    if queue.isRunByThisThread {
      assumeIsolated { $0.begin(work) }
    } else {
      releasedWork.withLock { $0 += work }
      wake()
    }
  }

  /// Answers a batch without Inputs, after all previous results are released.
  package func answer(_ batch: InputBatch) {
    guard runner != nil else { return batch.notify(.closed) }
    let isSettled = graph.isSettled
    turn.answers.append(TurnResult.Answer(batch: batch, progress: .processed(isSettled: isSettled)))
  }

  /// Starts the work that other threads released.
  func startReleased() {
    let work = releasedWork.withLock { released in
      defer { released = [] }
      return released
    }
    begin(work)
  }

  private func begin(_ work: [Work]) {
    for one in work {
      switch one {
      case .effect(let node, let work): startEffect(node, work)
      case .input(let number): startInputWork(number)
      case .alarm(let change):
        waitForAlarms()
        handOver(change)
      case .follow(let id, let generation): follow(id, generation)
      }
    }
  }

  // MARK: Closing

  func shutDown() {
    guard let ended = runner else { return }
    runner = nil
    for running in tasks.values { running.task.cancel() }
    alarms = nil
    for work in inputWork.values { work.task?.cancel() }
    let notBegun = inputWork.values.filter { $0.task == nil && $0.isLast }
    tasks = [:]
    var unfinished = TurnResult()
    swap(&unfinished, &turn)
    // Work that never began does not remove itself, and a batch may retain the engine's owner.
    inputWork = [:]
    sentActions = FIFO()
    graph.clear()
    let abandoned = unsettled
    unsettled = [:]
    unfinished.withdraw()
    for batch in abandoned.values { batch.notify(.abandoned) }
    for work in notBegun { work.batch.notify(.closed) }
    for batch in mailbox.removeAll() { batch.notify(.closed) }
    if isOver.load(ordering: .relaxed) {
      noteRun(.end)
      ended.end()
    }
  }
}

/// Releases and withdraws results.
extension TurnResult {
  /// Releases a committed result: notifies the owners of its batches, and starts its work.
  ///
  /// Called on any thread, in the order of the commits.
  package func release() {
    for answer in answers { answer.batch.owner?.didProgress(to: answer.progress) }
    if !work.isEmpty { engine?.start(work) }
  }

  /// Withdraws a result that will never be committed: notifies the owners of its batches.
  package func withdraw() {
    for answer in answers { answer.batch.notify(.closed) }
  }

  /// Wakes the engine once the committer is no longer full.
  package func resume() {
    engine?.wake()
  }
}
