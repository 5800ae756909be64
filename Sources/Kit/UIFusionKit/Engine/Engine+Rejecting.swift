/// Rejects turns with an invalid State.
extension Engine {
  /// Rejects an Input whose turn was rolled back, and drops the rest of its batch.
  ///
  /// The turns of the batch's earlier Inputs stand, and their work continues.
  func reject(_ batch: InputBatch, at index: Int, _ invalid: InvalidState) {
    let id = currentBatch.id
    currentBatch = CurrentBatch()
    let isLast = index + 1 == batch.count
    mailbox.removeFirst(countingOff: batch.count - index - (isLast ? 0 : 1))
    turn.progress = nil
    answer(batch, at: index, invalid)
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
    answer(work.batch, at: work.index, invalid)
  }

  private func answer(_ batch: InputBatch, at index: Int, _ invalid: InvalidState) {
    let progress = InputBatch.Progress.rejected(invalid, at: batch.count > 1 ? index : nil)
    turn.answers.append(TurnResult.Answer(batch: batch, progress: progress))
  }
}
