/// A relay that carries published values to the nodes that have subscribers, and back.
///
/// A relay passes messages from other nodes to ``Topics/deliver(_:)``. It may lose, delay and duplicate
/// messages: each has a sender and a sequence number, by which late and duplicate messages are recognized.
///
/// A relay encodes and decodes values, since publishers know no format. A relay returns nil for a value
/// that it cannot encode or decode, and reports the failure itself.
///
/// `send`, `follow` and `unfollow` are called under locks, one call at a time: they return at once, call
/// no function of ``Topics``, and take no lock under which ``Topics`` is called.
package protocol TopicRelay: AnyObject, Sendable {
  /// Returns whether another node may have subscribers to a topic; if not, values are not encoded.
  func isWanted(_ topic: String) -> Bool

  /// Encodes a value; returns nil if that fails.
  func encode<Value: Encodable>(_ value: Value) -> [UInt8]?

  /// Decodes a value that another node encoded; returns nil if that fails.
  func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) -> Value?

  /// Sends a message to all nodes that have subscribers to its topic; called in order of sequence.
  func send(_ message: TopicMessage)

  /// Announces the first local subscriber to a topic.
  func follow(_ topic: String)

  /// Announces that a topic has lost its last local subscriber.
  func unfollow(_ topic: String)
}

/// A published value on its way to other nodes.
package struct TopicMessage: Hashable, Sendable {
  package let topic: String
  /// The random number of the sending process.
  package let sender: UInt64
  /// The sequence number: grows from 1 with each message of the sender, across all topics.
  package let sequence: UInt64
  package let bytes: [UInt8]

  package init(topic: String, sender: UInt64, sequence: UInt64, bytes: [UInt8]) {
    self.topic = topic
    self.sender = sender
    self.sequence = sequence
    self.bytes = bytes
  }
}
