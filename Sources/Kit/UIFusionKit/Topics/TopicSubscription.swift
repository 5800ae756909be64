/// The values that are published to a topic, from ``Topics/subscribe(to:bufferingNewest:)`` on.
///
/// It ends with the task that follows it, when it is cancelled or when it is let go of; what waits by then is
/// dropped. Of several tasks that follow the same one, each value reaches one.
public final class TopicSubscription<Value: Codable & Sendable>: AsyncSequence, Sendable {
  private let buffer: TopicBuffer
  private let remove: @Sendable () -> Void

  init(_ buffer: TopicBuffer, _ remove: @escaping @Sendable () -> Void) {
    self.buffer = buffer
    self.remove = remove
  }

  deinit { cancel() }

  /// How many values it has missed up to now: dropped for newer ones, as nobody took them in time, or sent by
  /// another node in a form that cannot be read here.
  public var missed: Int { buffer.missed }

  /// Ends it at once, for whoever follows it.
  public func cancel() {
    if buffer.end() { remove() }
  }

  /// Follows it.
  public func makeAsyncIterator() -> Iterator { Iterator(subscription: self) }

  /// Takes one value after another.
  public struct Iterator: AsyncIteratorProtocol {
    let subscription: TopicSubscription

    /// The next value; nil once the subscription has ended, or as soon as the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> Value? {
      let value = await withTaskCancellationHandler(
        operation: { [subscription] in await subscription.buffer.next(isolation: actor) },
        onCancel: { [subscription] in subscription.cancel() },
        isolation: actor
      )
      // Unwrapped first: the end would else be a value, where Value is an Optional.
      guard let value else { return nil }
      return value as? Value
    }
  }
}

@available(*, unavailable)
extension TopicSubscription.Iterator: Sendable {}
