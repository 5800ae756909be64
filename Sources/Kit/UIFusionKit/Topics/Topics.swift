import Synchronization

/// How view models of different sessions talk: what one publishes, all that have subscribed get.
///
/// ```swift
/// topics.publish(message, to: room)
/// for await message in topics.subscribe(to: room) { … }
/// ```
///
/// - Sessions that are given the same ``Dependencies`` have the same topics: all of a service, on each of its
///   nodes.
/// - What one sender publishes to a topic arrives in that order, each value at most once. A subscriber that is
///   too slow misses the oldest of what waits, and what a node sends while another cannot be reached may be
///   lost.
/// - Nothing is stored: who subscribes later gets what is published later. What has to last belongs into State.
/// - A sender that has subscribed gets its own values, too, by the same way as everybody.
///
/// Between processes values travel as JSON; within one they are handed over as they are.
///
/// Publish where work is done, in an effect or in an asynchronous `perform`: that runs after its turn is
/// stored. What a synchronous `perform` publishes is heard even where the turn is taken back.
public final class Topics: Sendable {
  private struct Contents {
    /// By a topic's name: those who listen, a list for each type, though there is to be but one.
    var audiences: [String: [Audience]] = [:]
    /// By sender: the newest that has arrived from it, to whatever topic.
    var arrived: [UInt64: UInt64] = [:]
    var relay: (any TopicRelay)?

    func audience<Value>(of topic: Topic<Value>) -> Audience? {
      audiences[topic.name]?.first { $0.type == Value.self }
    }
  }

  private let contents = Mutex(Contents())
  /// How many values were handed to the relay.
  private let sent = Mutex<UInt64>(0)
  /// Stands for this process among the nodes.
  private let sender = UInt64.random(in: .min ... .max)

  /// Topics to which nobody has subscribed.
  public init() {}

  /// Hands a value to all who have subscribed to a topic.
  ///
  /// Never waits; and nobody learns who has got it.
  public func publish<Value>(_ value: Value, to topic: Topic<Value>) {
    let (audience, relay) = contents.withLock { ($0.audience(of: topic), $0.relay) }
    audience?.hear(value)
    guard let relay, relay.isWanted(topic.name), let bytes = relay.encode(value) else { return }
    // Under the lock: nobody is to overtake.
    sent.withLock { sent in
      sent += 1
      relay.send(TopicMessage(topic: topic.name, sender: sender, sequence: sent, bytes: bytes))
    }
  }

  /// Gets what is published to a topic from now on.
  ///
  /// It goes on until the task that follows it is cancelled, as an effect is, until
  /// ``TopicSubscription/cancel()``, or until it is let go of.
  ///
  /// - Parameters:
  ///   - topic: what to listen to.
  ///   - limit: how many values may wait, at least one; beyond it the oldest is dropped, and counts as
  ///     ``TopicSubscription/missed``.
  /// - Returns: the values, one after another.
  public func subscribe<Value>(
    to topic: Topic<Value>,
    bufferingNewest limit: Int = 100
  ) -> TopicSubscription<Value> {
    let buffer = TopicBuffer(limit: max(1, limit))
    contents.withLock { contents in
      if let audience = contents.audience(of: topic) { return audience.add(buffer) }
      let audience = Audience(of: Value.self, after: contents.arrived)
      audience.add(buffer)
      contents.audiences[topic.name, default: []].append(audience)
      if contents.audiences[topic.name]?.count == 1 { contents.relay?.follow(topic.name) }
    }
    return TopicSubscription(buffer) { [self] in remove(buffer, from: topic) }
  }

  private func remove<Value>(_ buffer: TopicBuffer, from topic: Topic<Value>) {
    contents.withLock { contents in
      guard let audience = contents.audience(of: topic) else { return }
      audience.remove(buffer)
      guard audience.count == 0 else { return }
      contents.audiences[topic.name]?.removeAll { $0 === audience }
      guard contents.audiences[topic.name]?.isEmpty == true else { return }
      contents.audiences[topic.name] = nil
      contents.relay?.unfollow(topic.name)
    }
  }

  /// How many have subscribed here.
  package func subscribers<Value>(of topic: Topic<Value>) -> Int {
    contents.withLock { $0.audience(of: topic)?.count ?? 0 }
  }

  // MARK: Other nodes

  /// Has a relay carry what is published to other nodes; nil has it stay here.
  package func connect(_ relay: (any TopicRelay)?) {
    contents.withLock { contents in
      contents.relay = relay
      for name in contents.audiences.keys.sorted() { relay?.follow(name) }
    }
  }

  /// Hands what another node has sent to those who have subscribed here; on whatever thread.
  ///
  /// One that has come before, or that comes after a later one of its sender, is left out.
  package func deliver(_ message: TopicMessage) {
    let (audiences, relay) = contents.withLock { contents in
      if message.sender != sender {
        contents.arrived[message.sender, default: 0].rise(to: message.sequence)
      }
      return (contents.audiences[message.topic] ?? [], contents.relay)
    }
    guard message.sender != sender, let relay else { return }
    for audience in audiences { audience.hear(message, by: relay) }
  }
}

extension UInt64 {
  fileprivate mutating func rise(to other: UInt64) { self = Swift.max(self, other) }
}
