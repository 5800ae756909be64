import Synchronization

/// The buffered values of one subscription, up to a limit, or the tasks that wait for a value.
final class TopicBuffer: Sendable {
  typealias Waiting = CheckedContinuation<(any Sendable)?, Never>

  private struct Contents {
    var values = FIFO<any Sendable>()
    var waiting = FIFO<Waiting>()
    var missed = 0
    var isEnded = false
  }

  private let limit: Int
  private let contents = Mutex(Contents())

  init(limit: Int) {
    self.limit = limit
  }

  var missed: Int { contents.withLock { $0.missed } }

  /// Adds a value, dropping the oldest if the buffer is full.
  ///
  /// Returns a continuation instead if a task waits; the caller resumes it with the value.
  func add(_ value: any Sendable) -> Waiting? {
    contents.withLock { contents in
      if contents.isEnded { return nil }
      if let waiting = contents.waiting.popFirst() { return waiting }
      if contents.values.count == limit {
        _ = contents.values.popFirst()
        contents.missed += 1
      }
      contents.values.append(value)
      return nil
    }
  }

  /// Counts a value that cannot be decoded.
  func miss() {
    contents.withLock { $0.missed += 1 }
  }

  /// Returns the oldest value, or waits for the next; returns nil once the buffer has ended.
  func next(isolation: isolated (any Actor)?) async -> (any Sendable)? {
    await withCheckedContinuation(isolation: isolation) { continuation in
      // Outer nil: the task waits. Inner nil: the buffer has ended.
      let result: (any Sendable)?? = contents.withLock { contents in
        if contents.isEnded { return .some(nil) }
        if let value = contents.values.popFirst() { return value }
        contents.waiting.append(continuation)
        return nil
      }
      if let result { continuation.resume(returning: result) }
    }
  }

  /// Ends the buffer and drops its values; returns false if it had ended before.
  func end() -> Bool {
    let ended = contents.withLock { contents in
      defer { contents = Contents(missed: contents.missed, isEnded: true) }
      return contents
    }
    var waiting = ended.waiting
    while let continuation = waiting.popFirst() { continuation.resume(returning: nil) }
    return !ended.isEnded
  }
}
