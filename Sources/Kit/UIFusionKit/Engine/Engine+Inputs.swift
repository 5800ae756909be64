import Synchronization

/// Inputs, processed one after another.
extension Engine {
  /// How far the mailbox's first batch has been processed.
  struct CurrentBatch {
    /// The next Input; nil before the first.
    var index: Int?
    var id: EffectGraph.BatchID?
  }

  /// What an Input of an asynchronous pattern does, from its commit to its end.
  struct InputWork {
    let batch: InputBatch
    let index: Int
    let id: EffectGraph.BatchID
    let policy: InputPolicy
    let report: InputReport?
    /// Nil until the turn that asks for it is committed.
    var task: Task<Void, Never>?
    var isCancelled = false

    var isLast: Bool { index == batch.count - 1 }
    /// Whether somebody waits for it.
    var isCounted: Bool { policy != .background }
  }

  /// Hands over a batch.
  ///
  /// Batches are processed in the order in which they were accepted. Where the engine is at rest, and
  /// its State is not large, the turn has run to its first suspension before this returns.
  package nonisolated func submit(_ batch: InputBatch) -> Submission {
    let submission = mailbox.add(batch)
    guard case .accepted = submission, queue.signal() else { return submission }
    // A server's thread stays neither for long turns nor for the work of others: that is for the pool.
    if hasLargeState.load(ordering: .relaxed) { runInPool() } else { run(steps: 8) }
    return submission
  }

  /// Processes what there is, as far as it goes; shuts down once the engine is closed.
  ///
  /// After each Input come the actions that its effects sent at once, and then its answer. A long
  /// mailbox, or effects that send without end, do not keep the thread: what is left waits for the
  /// next signal.
  func advance() {
    if mailbox.isClosed { return shutDown() }
    startReleased()
    for _ in 0..<8 {
      processActions()
      endTurn()
      guard processNext() else { return }
      if hasLargeState.load(ordering: .relaxed) { break }
    }
    // The last one's answer does not wait for the signal, which may be that of the end.
    processActions()
    endTurn()
    _ = queue.signal()
  }

  /// Processes one Input; false where there is none, or it has to wait.
  private func processNext() -> Bool {
    guard let turns, !committer.isFull, let batch = mailbox.first else { return false }
    let index = current.index ?? batch.first
    let policy = index < batch.count ? turns.policy(of: batch, at: index) : .overlapping
    guard policy != .inOrder || !isBusy else { return false }
    if current.index == nil, !batch.mayBegin(at: version) {
      mailbox.removeFirst(countingOff: batch.count - index)
      turn.answers.append(TurnResult.Answer(batch: batch, progress: .refused))
      return true
    }
    guard index < batch.count else {
      finish(batch, countingOff: 0)
      return true
    }
    let isLast = index + 1 == batch.count
    if !isLast { mailbox.countOff(1) }
    current.index = index + 1
    turn.progress = (batch, index + 1)
    if batch.isStart { turn.isFirst = true }
    let report = newReport(for: batch)
    if let effects = effects(of: batch, at: index, by: turns, report) {
      // Before its effects: of a turn that is taken back, none has started or was cancelled.
      if let unfit = publish() {
        reject(batch, at: index, unfit)
        return true
      }
      if !effects.isEmpty { start(effects, for: currentID(), batch.origin?.trace) }
      note(report, of: current.id)
    } else {
      ask(
        for: InputWork(batch: batch, index: index, id: currentID(), policy: policy, report: report)
      )
    }
    if isLast { finish(batch, countingOff: 1) }
    return true
  }

  private func currentID() -> EffectGraph.BatchID {
    if let id = current.id { return id }
    let id = graph.begin()
    current.id = id
    return id
  }

  /// All Inputs of the mailbox's first batch are processed, or at work.
  private func finish(_ batch: InputBatch, countingOff inputs: Int) {
    let id = current.id
    current = CurrentBatch()
    mailbox.removeFirst(countingOff: inputs)
    guard let id else {
      turn.answers.append(
        TurnResult.Answer(batch: batch, progress: .processed(isSettled: true))
      )
      return
    }
    // Answered at the job's end, by when effects that need not wait have done what they do. Where
    // work is to begin, it is answered after that.
    if !inputWork.values.contains(where: { $0.batch === batch && $0.isLast }) {
      processed.append((batch, id))
    }
    release(id)
  }

  // MARK: Work that may wait

  /// The Input's turn is that work is to begin: the work's first stretch is the next turn.
  private func ask(for work: InputWork) {
    if work.isCounted { graph.retain(work.id) }
    if work.policy == .inOrder { isBusy = true }
    inputWorkCount += 1
    inputWork[inputWorkCount] = work
    turn.work.append(.input(inputWorkCount))
    turn.asksForWork = true
  }

  /// Begins an Input's work, whose turn is committed.
  func startInputWork(_ number: Int) {
    guard let work = inputWork[number] else { return }
    let task = TraceContext.within(work.batch.origin?.trace) {
      gathering(work.report) {
        Task {
          // All of it within: taking up a preference ends a job.
          await withTaskExecutorPreference(pool) {
            // The engine may have been closed before this first job of the task.
            guard let turns else {
              if work.isLast { work.batch.tell(.closed) }
              return
            }
            if work.isLast { processed.append((work.batch, work.id)) }
            await turns.work(on: work.batch, at: work.index) {
              beginTurn()
              if let unfit = publish() { rejectStretch(unfit) }
            }
            inputWork[number] = nil
            if work.policy == .inOrder { isBusy = false }
            if work.isCounted { release(work.id) }
            note(work.report, of: work.id)
          }
        }
      }
    }
    if work.isCancelled { task.cancel() }
    inputWork[number]?.task = task
  }

  func release(_ id: EffectGraph.BatchID?) {
    change { $0.release(id, &$1) }
  }
}
