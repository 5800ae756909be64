import Synchronization

/// Batches that wait to be processed, in the order in which they came.
struct Mailbox: ~Copyable, Sendable {
  // Not private: what holds it lies in another file, and the compiler (6.3) cannot make its layout there.
  struct Contents {
    var batches = FIFO<InputBatch>()
    var waitingInputs = 0
    var isClosed = false
  }

  private let contents = Mutex(Contents())
  private let limit: Int

  /// - Parameter limit: how many Inputs may wait; a batch that nothing waits before may have more.
  init(limit: Int) {
    self.limit = limit
  }

  var isClosed: Bool { contents.withLock { $0.isClosed } }

  var isEmpty: Bool { contents.withLock { $0.batches.isEmpty } }

  /// How many Inputs have not been processed.
  var waitingCount: Int { contents.withLock { $0.waitingInputs } }

  func add(_ batch: InputBatch) -> Submission {
    contents.withLock { contents in
      guard !contents.isClosed else { return .closed }
      // Refused for its length alone, a batch could be sent again for ever.
      guard
        contents.waitingInputs == 0
          || contents.waitingInputs + batch.count - batch.first <= limit
      else { return .full }
      contents.waitingInputs += batch.count - batch.first
      contents.batches.append(batch)
      return .accepted
    }
  }

  /// Puts a batch before all that wait, whatever the limit says.
  func addFirst(_ batch: InputBatch) {
    contents.withLock { contents in
      guard !contents.isClosed else { return }
      contents.waitingInputs += batch.count
      contents.batches.prepend(batch)
    }
  }

  /// The first batch, which stays where it is; nil once no more is taken.
  var first: InputBatch? { contents.withLock { $0.isClosed ? nil : $0.batches.first } }

  /// So many Inputs of the first batch do not wait any more.
  func countOff(_ inputs: Int) {
    contents.withLock { $0.waitingInputs -= inputs }
  }

  /// The first batch is done with, and so many of its Inputs that had still counted as waiting.
  func removeFirst(countingOff inputs: Int) {
    // Let go of after the lock: whatever the batch holds may end with it.
    _ = contents.withLock { contents in
      contents.waitingInputs -= inputs
      return contents.batches.popFirst()
    }
  }

  /// Takes no more batches from here on.
  func close() {
    contents.withLock { $0.isClosed = true }
  }

  /// Takes no more batches from here on, unless one is there; false where that is so.
  func closeIfEmpty() -> Bool {
    contents.withLock { contents in
      if contents.batches.isEmpty { contents.isClosed = true }
      return contents.batches.isEmpty
    }
  }

  /// Everything that still waits.
  func removeAll() -> [InputBatch] {
    contents.withLock { contents in
      contents.waitingInputs = 0
      return contents.batches.removeAll { _ in true }
    }
  }
}

/// What became of a batch that was handed to an engine.
package enum Submission: Sendable {
  case accepted
  /// More Inputs would wait than may.
  case full
  case closed
}
