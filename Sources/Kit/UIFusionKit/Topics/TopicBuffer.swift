import Synchronization

/// The values that wait for one subscriber, up to a limit, or the subscriber that waits for one.
final class TopicBuffer: Sendable {
  typealias Waiting = CheckedContinuation<(any Sendable)?, Never>

  private struct Contents {
    var values = FIFO<any Sendable>()
    var waiting = FIFO<Waiting>()
    var missed = 0
    var isOver = false
  }

  private let limit: Int
  private let contents = Mutex(Contents())

  init(limit: Int) {
    self.limit = limit
  }

  var missed: Int { contents.withLock { $0.missed } }

  /// Adds a value, in place of the oldest where there are too many; or returns who waits for it, to be
  /// resumed with it.
  func add(_ value: any Sendable) -> Waiting? {
    contents.withLock { contents in
      if contents.isOver { return nil }
      if let waiting = contents.waiting.popFirst() { return waiting }
      if contents.values.count == limit {
        _ = contents.values.popFirst()
        contents.missed += 1
      }
      contents.values.append(value)
      return nil
    }
  }

  /// Counts a value that cannot be read.
  func miss() {
    contents.withLock { $0.missed += 1 }
  }

  /// The oldest value, or the next one; nil once it is over.
  func next(isolation: isolated (any Actor)?) async -> (any Sendable)? {
    await withCheckedContinuation(isolation: isolation) { continuation in
      // Outside nil: it waits. Inside nil: it is over.
      let result: (any Sendable)?? = contents.withLock { contents in
        if contents.isOver { return .some(nil) }
        if let value = contents.values.popFirst() { return value }
        contents.waiting.append(continuation)
        return nil
      }
      if let result { continuation.resume(returning: result) }
    }
  }

  /// Ends it, with what waits; false where it is over already.
  func end() -> Bool {
    let ended = contents.withLock { contents in
      defer { contents = Contents(missed: contents.missed, isOver: true) }
      return contents
    }
    var waiting = ended.waiting
    while let continuation = waiting.popFirst() { continuation.resume(returning: nil) }
    return !ended.isOver
  }
}
