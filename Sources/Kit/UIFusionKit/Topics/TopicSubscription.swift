/// The sequence of values published to a topic since ``Topics/subscribe(to:bufferingNewest:)``.
///
/// A subscription ends when it is cancelled, when the task that iterates over it is cancelled, or when
/// it is released; buffered values are then dropped. If several tasks iterate over one subscription, each
/// value reaches one of them.
public final class TopicSubscription<Value: Codable & Sendable>: AsyncSequence, Sendable {
  private let buffer: TopicBuffer
  private let remove: @Sendable () -> Void

  init(_ buffer: TopicBuffer, _ remove: @escaping @Sendable () -> Void) {
    self.buffer = buffer
    self.remove = remove
  }

  deinit { cancel() }

  /// The number of missed values: dropped from a full buffer, or sent by another node in a form that this
  /// process cannot decode.
  public var missed: Int { buffer.missed }

  /// Ends the subscription at once, for all tasks that iterate over it.
  public func cancel() {
    if buffer.end() { remove() }
  }

  /// Returns an iterator over the values.
  public func makeAsyncIterator() -> Iterator { Iterator(subscription: self) }

  /// An iterator that takes one value after another.
  public struct Iterator: AsyncIteratorProtocol {
    let subscription: TopicSubscription

    /// Waits for the next value; returns nil once the subscription has ended, or the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> Value? {
      let value = await withTaskCancellationHandler(
        operation: { [subscription] in await subscription.buffer.next(isolation: actor) },
        onCancel: { [subscription] in subscription.cancel() },
        isolation: actor
      )
      // Unwrapped first: if `Value` is an Optional, the end would be mistaken for a value.
      guard let value else { return nil }
      return value as? Value
    }
  }
}

@available(*, unavailable)
extension TopicSubscription.Iterator: Sendable {}
