/// Why a State cannot stand: the turn that led to it is taken back.
///
/// Indirect, as there is room for one in each engine, and none in nearly all.
package indirect enum InvalidState: Error, Equatable {
  /// It has more bytes than it may have.
  case tooLarge(limit: Int)
  /// It cannot be written; the member at fault, from the State downwards, and a reason for the log.
  case notWritable(member: String?, reason: String)
}

extension Engine {
  /// An Input's turn is taken back; the rest of its batch goes with it.
  ///
  /// What the batch's Inputs before it have come to stands, and goes on.
  func reject(_ batch: InputBatch, at index: Int, _ unfit: InvalidState) {
    let id = current.id
    current = CurrentBatch()
    let isLast = index + 1 == batch.count
    mailbox.removeFirst(countingOff: batch.count - index - (isLast ? 0 : 1))
    turn.progress = nil
    answer(batch, at: index, unfit)
    release(id)
  }

  /// A stretch of an Input's work is taken back: the work is cancelled.
  ///
  /// Where it is the first one, the sender is told; otherwise the Input is processed already. Where
  /// several Inputs are at work, nobody knows whose stretch it was, and all go on.
  func rejectStretch(_ unfit: InvalidState) {
    guard inputWork.count == 1, let (number, work) = inputWork.first else { return }
    inputWork[number]?.isCancelled = true
    work.task?.cancel()
    let isFirst = processed.contains { $0.batch === work.batch }
    if mailbox.first === work.batch {
      let index = current.index ?? work.batch.count
      let id = current.id
      current = CurrentBatch()
      mailbox.removeFirst(countingOff: work.batch.count - index)
      release(id)
    } else if !isFirst {
      return
    }
    processed.removeAll { $0.batch === work.batch }
    answer(work.batch, at: work.index, unfit)
  }

  private func answer(_ batch: InputBatch, at index: Int, _ unfit: InvalidState) {
    let progress = InputBatch.Progress.rejected(unfit, at: batch.count > 1 ? index : nil)
    turn.answers.append(TurnResult.Answer(batch: batch, progress: progress))
  }
}
