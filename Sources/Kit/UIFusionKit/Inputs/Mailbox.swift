import Synchronization

/// The batches that wait to be processed, in order of arrival.
struct Mailbox: ~Copyable, Sendable {
  // Not private: its owner is in another file, where the compiler (6.3) could not compute the layout.
  struct Contents {
    var batches = FIFO<InputBatch>()
    var waitingInputs = 0
    var isClosed = false
  }

  private let contents = Mutex(Contents())
  private let limit: Int

  /// Creates a mailbox.
  ///
  /// - Parameter limit: the number of Inputs that may wait. An empty mailbox accepts a batch of any size.
  init(limit: Int) {
    self.limit = limit
  }

  var isClosed: Bool { contents.withLock { $0.isClosed } }

  var isEmpty: Bool { contents.withLock { $0.batches.isEmpty } }

  /// The number of Inputs that have not been processed.
  var waitingCount: Int { contents.withLock { $0.waitingInputs } }

  func add(_ batch: InputBatch) -> Submission {
    contents.withLock { contents in
      guard !contents.isClosed else { return .closed }
      // A batch that is refused for its length alone would be refused each time it is sent.
      guard
        contents.waitingInputs == 0
          || contents.waitingInputs + batch.count - batch.first <= limit
      else { return .full }
      contents.waitingInputs += batch.count - batch.first
      contents.batches.append(batch)
      return .accepted
    }
  }

  /// Puts a batch before all others, regardless of the limit.
  func addFirst(_ batch: InputBatch) {
    contents.withLock { contents in
      guard !contents.isClosed else { return }
      contents.waitingInputs += batch.count
      contents.batches.prepend(batch)
    }
  }

  /// Appends a batch that does not count as waiting; returns whether the mailbox is open.
  func addUncounted(_ batch: InputBatch) -> Bool {
    contents.withLock { contents in
      guard !contents.isClosed else { return false }
      contents.batches.append(batch)
      return true
    }
  }

  /// The first batch, which stays in the mailbox; nil once the mailbox is closed.
  var first: InputBatch? { contents.withLock { $0.isClosed ? nil : $0.batches.first } }

  /// Subtracts processed Inputs of the first batch from the number of waiting ones.
  func countOff(_ inputs: Int) {
    contents.withLock { $0.waitingInputs -= inputs }
  }

  /// Removes the first batch, and subtracts its Inputs that still count as waiting.
  func removeFirst(countingOff inputs: Int) {
    // Released after the unlock: a batch may hold the last reference to its owner.
    _ = contents.withLock { contents in
      contents.waitingInputs -= inputs
      return contents.batches.popFirst()
    }
  }

  /// Refuses batches from now on.
  func close() {
    contents.withLock { $0.isClosed = true }
  }

  /// Closes the mailbox if it is empty; returns whether it was.
  func closeIfEmpty() -> Bool {
    contents.withLock { contents in
      if contents.batches.isEmpty { contents.isClosed = true }
      return contents.batches.isEmpty
    }
  }

  /// Removes and returns all batches.
  func removeAll() -> [InputBatch] {
    contents.withLock { contents in
      contents.waitingInputs = 0
      return contents.batches.removeAll { _ in true }
    }
  }
}

/// The outcome of submitting a batch to an engine.
package enum Submission: Sendable {
  case accepted
  /// Refused, because too many Inputs would wait.
  case full
  case closed
}
