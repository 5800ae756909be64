import Synchronization

/// Deliveries that wait to be taken up, in the order in which they came.
final class Mailbox: Sendable {
  private struct Contents {
    var deliveries: [Delivery] = []
    var head = 0
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

  var isEmpty: Bool { contents.withLock { $0.head == $0.deliveries.count } }

  func add(_ delivery: Delivery) -> Submission {
    contents.withLock { contents in
      guard !contents.isClosed else { return .closed }
      guard contents.waitingInputs + delivery.count <= limit else { return .full }
      contents.waitingInputs += delivery.count
      contents.deliveries.append(delivery)
      return .accepted
    }
  }

  /// The first delivery, which stays where it is.
  func peek() -> Delivery? {
    contents.withLock { $0.head < $0.deliveries.count ? $0.deliveries[$0.head] : nil }
  }

  /// One Input of the first delivery has been taken up.
  func taken() {
    contents.withLock { $0.waitingInputs -= 1 }
  }

  /// The first delivery is done with; `skipping` of its Inputs were never taken up.
  func removeFirst(skipping: Int) {
    contents.withLock { contents in
      contents.waitingInputs -= skipping
      contents.head += 1
      if contents.head == contents.deliveries.count {
        contents.deliveries.removeAll(keepingCapacity: contents.deliveries.capacity <= 16)
        contents.head = 0
      } else if contents.head >= 32, contents.head * 2 >= contents.deliveries.count {
        // Never quite empty: what was taken must not stay.
        contents.deliveries.removeFirst(contents.head)
        contents.head = 0
      }
    }
  }

  /// Takes no more deliveries from here on.
  func close() {
    contents.withLock { $0.isClosed = true }
  }

  /// Everything that still waits.
  func removeAll() -> ArraySlice<Delivery> {
    contents.withLock { contents in
      defer {
        contents.deliveries = []
        contents.head = 0
        contents.waitingInputs = 0
      }
      return contents.deliveries[contents.head...]
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
