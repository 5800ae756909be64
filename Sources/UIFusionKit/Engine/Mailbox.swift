import Synchronization

/// Deliveries that wait to be taken up, in the order in which they came.
final class Mailbox: Sendable {
  private struct Contents {
    var deliveries = FIFO<Delivery>()
    var waitingInputs = 0
    var isClosed = false
  }

  private let contents = Mutex(Contents())
  private let limit: Int

  /// - Parameter limit: how many Inputs may wait.
  init(limit: Int) {
    self.limit = limit
  }

  var isClosed: Bool { contents.withLock { $0.isClosed } }

  var isEmpty: Bool { contents.withLock { $0.deliveries.isEmpty } }

  /// How many Inputs have not been taken up.
  var waitingCount: Int { contents.withLock { $0.waitingInputs } }

  func add(_ delivery: Delivery) -> Submission {
    contents.withLock { contents in
      guard !contents.isClosed else { return .closed }
      guard contents.waitingInputs + delivery.count <= limit else { return .full }
      contents.waitingInputs += delivery.count
      contents.deliveries.append(delivery)
      return .accepted
    }
  }

  /// Puts a delivery before all that wait, whatever the limit says.
  func addFirst(_ delivery: Delivery) {
    contents.withLock { contents in
      guard !contents.isClosed else { return }
      contents.waitingInputs += delivery.count
      contents.deliveries.prepend(delivery)
    }
  }

  /// The first delivery, which stays where it is.
  func peek() -> Delivery? {
    contents.withLock { $0.deliveries.first }
  }

  /// One Input of the first delivery has been taken up.
  func taken() {
    contents.withLock { $0.waitingInputs -= 1 }
  }

  /// The first delivery is done with; `skipping` of its Inputs were never taken up.
  func removeFirst(skipping: Int) {
    // Let go of after the lock: whatever the delivery holds may end with it.
    _ = contents.withLock { contents in
      contents.waitingInputs -= skipping
      return contents.deliveries.popFirst()
    }
  }

  /// Takes no more deliveries from here on.
  func close() {
    contents.withLock { $0.isClosed = true }
  }

  /// Everything that still waits.
  func removeAll() -> [Delivery] {
    contents.withLock { contents in
      contents.waitingInputs = 0
      return contents.deliveries.removeAll { _ in true }
    }
  }
}

/// What became of a delivery that was handed to an engine.
public enum Submission: Sendable {
  case accepted
  /// More Inputs would wait than may.
  case full
  case closed
}
