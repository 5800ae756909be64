import Synchronization

/// Results: what turns come to, on its way to the committer and back.
extension Engine {
  /// Work that is to start once the turn that asks for it is committed.
  enum Work: Sendable {
    case effect(EffectGraph.NodeID, EffectRun.Work)
    /// That of an Input, by its number.
    case input(Int)
  }

  /// A new turn begins: the one before it, if any, is handed over.
  func beginTurn() {
    if !turn.isEmpty { commitTurn() }
  }

  /// Takes a change of State into the turn's result; `last` is a run that has sent its last action, and
  /// is over but for the formalities.
  ///
  /// Where the State cannot stand, it is taken back, and the reason returned.
  func publish(after last: EffectGraph.NodeID? = nil) -> InvalidState? {
    if let last { turn.lastOf = last }
    guard let state = turns?.change(as: version + 1) else { return nil }
    if let unfit = state.unfit {
      turns?.takeBack()
      return unfit
    }
    version += 1
    turn.state = state
    hasLargeState.store(state.isLarge, ordering: .relaxed)
    return nil
  }

  /// The job is at its end, or about to begin something new: hands over what it has come to, answers
  /// included.
  func endTurn() {
    // An Input that waits makes nothing unsettled, as it may be done in a moment; but what is
    // unsettled stays so while one waits.
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
    if !reported.isEmpty { tellReports() }
    if !turn.isEmpty { commitTurn() }
  }

  /// Hands over the turn's result, made whole; another turn may begin.
  private func commitTurn() {
    var result = TurnResult()
    swap(&result, &turn)
    guard let turns else { return }
    result.engine = self
    result.version = version
    if result.isStored {
      result.trace = turns.takeTrace()
      if !graph.nodes.isEmpty || !inputWork.isEmpty {
        result.running = graph.names(besides: inputWork.count, after: result.lastOf)
      }
    }
    committer.commit(result)
  }

  /// Starts the work of a result that stands; on any thread, in the order of the commits.
  nonisolated func start(_ work: [Work]) {
    if queue.isRunByThisThread {
      assumeIsolated { $0.begin(work) }
    } else {
      released.withLock { $0 += work }
      goOn()
    }
  }

  /// Answers a batch without Inputs, in order: once what the engine has done so far is released.
  package func answer(_ batch: InputBatch) {
    guard turns != nil else { return batch.tell(.closed) }
    let isSettled = graph.isSettled
    turn.answers.append(TurnResult.Answer(batch: batch, progress: .processed(isSettled: isSettled)))
  }

  /// Starts what was released by other threads.
  func startReleased() {
    let work = released.withLock { released in
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
      }
    }
  }

  // MARK: The end

  func shutDown() {
    guard turns != nil else { return }
    turns = nil
    for task in tasks.values { task.cancel() }
    for work in inputWork.values { work.task?.cancel() }
    let notBegun = inputWork.values.filter { $0.task == nil && $0.isLast }
    tasks = [:]
    turn = TurnResult()
    // Work that has not begun will not take itself off, and a batch may hold whoever holds us.
    inputWork = [:]
    actions = FIFO()
    graph.clear()
    let abandoned = unsettled
    unsettled = [:]
    for batch in abandoned.values { batch.tell(.abandoned) }
    for work in notBegun { work.batch.tell(.closed) }
    for batch in mailbox.removeAll() { batch.tell(.closed) }
  }
}

/// The release.
extension TurnResult {
  /// It stands, and may be seen: whoever waits for it is told, and its work starts.
  ///
  /// Called on any thread, in the order of the commits.
  package func release() {
    for answer in answers { answer.batch.owner?.proceed(answer.progress) }
    if !work.isEmpty { engine?.start(work) }
  }

  /// It will never be committed: whoever waits for it is told.
  package func withdraw() {
    for answer in answers { answer.batch.tell(.closed) }
  }

  /// Lets the engine go on, once not so much waits to be committed any more.
  package func resume() {
    engine?.goOn()
  }
}
