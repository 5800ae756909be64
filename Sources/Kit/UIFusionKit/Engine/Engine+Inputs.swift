import Synchronization

/// Processes Inputs, one after another.
extension Engine {
  /// The progress of the mailbox's first batch.
  struct CurrentBatch {
    /// The index of the next Input; nil before the first.
    var index: Int?
    var id: EffectGraph.BatchID?
  }

  /// The work of an Input of an asynchronous pattern, from its commit to its end.
  struct InputWork {
    let batch: InputBatch
    let index: Int
    let id: EffectGraph.BatchID
    let policy: InputPolicy
    let report: InputReport?
    /// Whether a foreign Input has caused the work: see ``InputOrigin/isForeign``.
    var isForeign: Bool
    /// The task; nil until the turn that asks for the work is committed.
    var task: Task<Void, Never>?
    var isCancelled = false

    init(
      batch: InputBatch,
      index: Int,
      id: EffectGraph.BatchID,
      policy: InputPolicy,
      report: InputReport?
    ) {
      (self.batch, self.index, self.id) = (batch, index, id)
      (self.policy, self.report) = (policy, report)
      isForeign = batch.isForeign
    }

    var isLast: Bool { index == batch.count - 1 }
    /// Whether the work counts as unsettled.
    var isCounted: Bool { policy != .background }
  }

  /// Submits a batch.
  ///
  /// Batches are processed in the order in which they were accepted. If the engine is idle and its
  /// turns do not write much, the turn runs to its first suspension before this returns.
  package nonisolated func submit(_ batch: InputBatch) -> Submission {
    let submission = mailbox.add(batch)
    guard case .accepted = submission, queue.signal() else { return submission }
    // A server's thread runs neither long turns nor other engines: the pool does.
    if isRenderingCostly.load(ordering: .relaxed) { runInPool() } else { runHere() }
    return submission
  }

  /// Processes waiting actions and Inputs, up to a limit; shuts down once the engine is closed.
  ///
  /// Each Input is followed by the actions that its effects sent at once, and then by its answer. A long
  /// mailbox, or effects that send without end, do not hold the thread: the rest waits for the next
  /// signal.
  func advance() {
    if mailbox.isClosed { return shutDown() }
    if isWatchDue.load(ordering: .relaxed) { updateWatch() }
    startReleased()
    if alarms?.following?.hasBegun == false { updateFollowing() }
    for _ in 0..<8 {
      processActions()
      endTurn()
      guard processNext() else { return }
      if isRenderingCostly.load(ordering: .relaxed) { break }
    }
    // The last Input's answer must not wait for the next signal, which may close the engine.
    processActions()
    endTurn()
    _ = queue.signal()
  }

  /// Processes one Input; returns false if there is none, or it has to wait.
  private func processNext() -> Bool {
    guard let runner, !committer.isFull, let batch = mailbox.first else { return false }
    if batch.holdsNoInputs { return ring(batch, by: runner) }
    noteRun(batch.code)
    let index = currentBatch.index ?? batch.first
    let policy = index < batch.count ? runner.policy(of: batch, at: index) : .overlapping
    guard policy != .inOrder || !isBusy else { return false }
    if currentBatch.index == nil, !batch.mayBegin(at: version) {
      mailbox.removeFirst(countingOff: batch.count - index)
      turn.answers.append(TurnResult.Answer(batch: batch, progress: .refused))
      return true
    }
    guard index < batch.count else {
      noteVisitors(after: batch)
      finish(batch, countingOff: 0)
      return true
    }
    if currentBatch.index == nil, index > 0 { holdUntilMessagesSettle() }
    let isLast = index + 1 == batch.count
    if !isLast { mailbox.countOff(1) }
    currentBatch.index = index + 1
    turn.progress = (batch, index + 1)
    if batch.isStart { turn.isFirst = true }
    isForeign = batch.isForeign
    let report = newReport(for: batch)
    let began = turnBegin
    defer { reportIfSlow(since: began) { batch.name(at: index) } }
    if batch.origin?.isUnderRules == true, let reason = runner.denial(of: batch, at: index) {
      reject(batch, at: index, .denied(reason))
      return true
    }
    if var effects = effects(of: batch, at: index, by: runner, report) {
      let refusal = prepareAlarms(in: &effects)
      // Before the effects: a turn that is rolled back starts and cancels none.
      if let invalid = publish() ?? refusal {
        reject(batch, at: index, .invalid(invalid))
        return true
      }
      if !effects.isEmpty { start(effects, for: currentID(), batch.origin?.trace) }
      note(report, of: currentBatch.id)
    } else {
      request(
        InputWork(batch: batch, index: index, id: currentID(), policy: policy, report: report)
      )
    }
    // Not if the turn was rolled back.
    noteVisitors(after: batch)
    if isLast { finish(batch, countingOff: 1) }
    return true
  }

  /// Holds a batch that goes on behind processed Inputs until all messages on their way are settled: after a restart it
  /// is not known which of them those Inputs have sent.
  private func holdUntilMessagesSettle() {
    let id = currentID()
    for _ in 0..<(alarms?.outbox.holdUntilSettled(id) ?? 0) { graph.retain(id) }
  }

  private func noteVisitors(after batch: InputBatch) {
    guard let leavesVisitors = batch.leavesVisitors, leavesVisitors != hasVisitors else { return }
    hasVisitors = leavesVisitors
    // A restored view model's mark is stored already.
    if batch.launch == nil { turn.changesVisitors = true }
  }

  func currentID() -> EffectGraph.BatchID {
    if let id = currentBatch.id { return id }
    let id = graph.begin(isForeign: isForeign)
    currentBatch.id = id
    return id
  }

  /// Whether a foreign Input may have caused what the view model asks for now: the current turn's, or one
  /// that is at work, since the owner of a segment between two suspensions is unknown.
  var isCausedByForeigner: Bool { isForeign || inputWork.values.contains(where: \.isForeign) }

  /// Removes the mailbox's first batch, whose Inputs are all processed or at work.
  private func finish(_ batch: InputBatch, countingOff inputs: Int) {
    let id = currentBatch.id
    currentBatch = CurrentBatch()
    mailbox.removeFirst(countingOff: inputs)
    guard let id else {
      turn.answers.append(
        TurnResult.Answer(batch: batch, progress: .processed(isSettled: true))
      )
      return
    }
    // Answered at the end of the job, when effects that do not suspend are done; if the last Input has work,
    // after the first segment of that work.
    if !inputWork.values.contains(where: { $0.batch === batch && $0.isLast }) {
      processed.append((batch, id))
    }
    release(id)
  }

  // MARK: Work that may suspend

  /// Requests the work of an Input: this turn only requests it, and the first segment is the next turn.
  func request(_ work: InputWork) {
    if work.isCounted { graph.retain(work.id) }
    if work.policy == .inOrder { isBusy = true }
    inputWorkCount += 1
    inputWork[inputWorkCount] = work
    turn.work.append(.input(inputWorkCount))
    noteInputWork(inputWorkCount, .started)
    turn.asksForWork = true
  }

  /// Performs an action on the engine; a closure that does not capture the engine would run elsewhere in the pool.
  private func perform(
    _ action: any Sendable,
    on runner: any TurnRunner,
    ended: () -> Void
  ) async {
    await runner.work(on: action, ended: ended)
  }

  /// Starts an Input's work once its turn is committed.
  func startInputWork(_ number: Int) {
    guard let work = inputWork[number] else { return }
    let task = InputOrigin.within(work.batch.origin) {
      gathering(work.report) {
        Task {
          // The whole task runs within the preference, since adopting one ends a job.
          await withTaskExecutorPreference(pool) {
            // The engine may have been closed before this first job of the task.
            guard let runner else {
              if work.isLast { work.batch.notify(.closed) }
              return
            }
            if work.isLast { processed.append((work.batch, work.id)) }
            let ended = {
              self.beginTurn()
              self.isForeign = false
              if let invalid = self.publish() { self.rejectSegment(invalid) }
            }
            noteRun(work.batch.code)
            if !work.batch.holdsNoInputs {
              await runner.work(on: work.batch, at: work.index, ended: ended)
            } else if let taken = takeAction(of: work.batch) {
              inputWork[number]?.isForeign = isForeign
              alarms?.outbox.holdRung(until: work.id)
              turn.awaitsAction = work.batch.following == nil
              // Not captured as a whole: the closure would then leave the engine first (6.3.1), which ends the job.
              let (action, reason) = (taken.action, taken.refusal)
              if let followed = taken.followed {
                await SessionAddress.$followed.withValue(followed) {
                  await self.perform(action, on: runner, ended: ended)
                }
              } else {
                await InputSender.$refusal.withValue(reason) {
                  await self.perform(action, on: runner, ended: ended)
                }
              }
            }
            // What it asked for last is published at the end of this job.
            isForeign = inputWork[number]?.isForeign == true
            inputWork[number] = nil
            noteInputWork(number, work.isCancelled ? .cancelled : .ended)
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
    change { $0.release(id) }
  }
}

// Inputs that are denied, or lead to an invalid State.
extension Engine {
  /// Rejects an Input that was denied, or whose turn was rolled back, and drops the rest of its batch.
  ///
  /// The turns of the batch's earlier Inputs stand, and their work continues.
  func reject(_ batch: InputBatch, at index: Int, _ rejection: TurnRejection) {
    let id = currentBatch.id
    currentBatch = CurrentBatch()
    let isLast = index + 1 == batch.count
    mailbox.removeFirst(countingOff: batch.count - index - (isLast ? 0 : 1))
    turn.progress = nil
    answer(batch, at: index, rejection)
    release(id)
  }

  /// Cancels an Input's work after one of its segments was rolled back.
  ///
  /// The sender is notified if it was the first segment; later the Input has already been answered. If
  /// several Inputs are at work, the segment's owner is unknown, and all continue.
  func rejectSegment(_ invalid: InvalidState) {
    guard inputWork.count == 1, let (number, work) = inputWork.first else { return }
    inputWork[number]?.isCancelled = true
    work.task?.cancel()
    let isFirst = processed.contains { $0.batch === work.batch }
    if mailbox.first === work.batch {
      let index = currentBatch.index ?? work.batch.count
      let id = currentBatch.id
      currentBatch = CurrentBatch()
      mailbox.removeFirst(countingOff: work.batch.count - index)
      release(id)
    } else if !isFirst {
      return
    }
    processed.removeAll { $0.batch === work.batch }
    answer(work.batch, at: work.index, .invalid(invalid))
  }

  private func answer(_ batch: InputBatch, at index: Int, _ rejection: TurnRejection) {
    let progress = InputBatch.Progress.rejected(rejection, at: batch.count > 1 ? index : nil)
    turn.answers.append(TurnResult.Answer(batch: batch, progress: progress))
  }
}
