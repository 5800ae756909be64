import Synchronization

/// Publish and subscribe between the view models of different sessions.
///
/// ```swift
/// topics.publish(message, to: room)
/// for await message in topics.subscribe(to: room) { … }
/// ```
///
/// - Sessions with the same ``Dependencies`` share their topics: all sessions of a service, on all nodes.
/// - Values of one sender to one topic arrive in order, each at most once. A slow subscriber misses the
///   oldest buffered values. Values for a node that cannot be reached may be lost.
/// - Nothing is stored: a subscriber gets only values that are published later. Keep lasting data in State.
/// - A sender that has subscribed gets its own values as well.
///
/// Values travel between processes as JSON; within a process they are passed unchanged.
///
/// Publish in an effect or in an asynchronous `perform`, which run after their turn is stored. Values
/// that a synchronous `perform` publishes are delivered even if the turn is rolled back.
public final class Topics: Sendable {
  private struct Contents {
    /// The local subscribers by the topic's name, in one group for each type; normally there is one type.
    var groups: [ByteString: [TopicSubscribers]] = [:]
    /// The newest sequence number that has arrived from each sender, across all topics.
    var newest: [UInt64: UInt64] = [:]
    var relay: (any TopicRelay)?

    func group<Value>(of topic: Topic<Value>) -> TopicSubscribers? {
      groups[ByteString(topic.name)]?.first { $0.type == Value.self }
    }
  }

  private let contents = Mutex(Contents())
  /// The number of messages passed to the relay.
  private let sent = Mutex<UInt64>(0)
  /// The number that identifies this process among the nodes.
  private let sender = UInt64.random(in: .min ... .max)

  /// Creates topics without subscribers.
  public init() {}

  /// Publishes a value to all subscribers of a topic.
  ///
  /// The function never waits, and does not report how many subscribers get the value.
  public func publish<Value>(_ value: Value, to topic: Topic<Value>) {
    let (group, relay) = contents.withLock { ($0.group(of: topic), $0.relay) }
    group?.deliver(value)
    guard let relay, relay.isWanted(topic.name), let bytes = relay.encode(value) else { return }
    // Under the lock, so that messages are sent in order of sequence.
    sent.withLock { sent in
      sent += 1
      relay.send(TopicMessage(topic: topic.name, sender: sender, sequence: sent, bytes: bytes))
    }
  }

  /// Subscribes to the values that are published to a topic from now on.
  ///
  /// The subscription ends when the task that iterates over it is cancelled, for example with its effect, by
  /// ``TopicSubscription/cancel()``, or when it is released.
  ///
  /// - Parameters:
  ///   - topic: the topic.
  ///   - limit: the number of values to buffer, at least one. Beyond it the oldest value is dropped and
  ///     counts as ``TopicSubscription/missed``.
  /// - Returns: the sequence of values.
  public func subscribe<Value>(
    to topic: Topic<Value>,
    bufferingNewest limit: Int = 100
  ) -> TopicSubscription<Value> {
    let buffer = TopicBuffer(limit: max(1, limit))
    contents.withLock { contents in
      if let group = contents.group(of: topic) { return group.add(buffer) }
      let group = TopicSubscribers(of: Value.self, after: contents.newest)
      group.add(buffer)
      let name = ByteString(topic.name)
      contents.groups[name, default: []].append(group)
      if contents.groups[name]?.count == 1 { contents.relay?.follow(topic.name) }
    }
    return TopicSubscription(buffer) { [self] in remove(buffer, from: topic) }
  }

  private func remove<Value>(_ buffer: TopicBuffer, from topic: Topic<Value>) {
    contents.withLock { contents in
      guard let group = contents.group(of: topic) else { return }
      group.remove(buffer)
      guard group.count == 0 else { return }
      let name = ByteString(topic.name)
      contents.groups[name]?.removeAll { $0 === group }
      guard contents.groups[name]?.isEmpty == true else { return }
      contents.groups[name] = nil
      contents.relay?.unfollow(topic.name)
    }
  }

  /// Returns the number of local subscribers.
  package func subscribers<Value>(of topic: Topic<Value>) -> Int {
    contents.withLock { $0.group(of: topic)?.count ?? 0 }
  }

  // MARK: Other nodes

  /// Sets the relay that carries values to other nodes; nil disconnects it.
  package func connect(_ relay: (any TopicRelay)?) {
    contents.withLock { contents in
      contents.relay = relay
      for name in contents.groups.keys.sorted() { relay?.follow(name.text) }
    }
  }

  /// Delivers a message of another node to the local subscribers; may be called on any thread.
  ///
  /// Drops duplicates, and messages that arrive after a later one of their sender.
  package func deliver(_ message: TopicMessage) {
    let (groups, relay) = contents.withLock { contents in
      if message.sender != sender {
        let newest = contents.newest[message.sender, default: 0]
        contents.newest[message.sender] = max(newest, message.sequence)
      }
      return (contents.groups[ByteString(message.topic)] ?? [], contents.relay)
    }
    guard message.sender != sender, let relay else { return }
    for group in groups { group.deliver(message, by: relay) }
  }
}
