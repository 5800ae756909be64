/// Carries what is published here to the nodes that want it, and is told what is wanted here.
///
/// What comes from other nodes it hands to ``Topics/deliver(_:)``. It may lose messages, delay and double
/// them: each names its sender and its place, by which late ones and second ones are told.
///
/// It encodes values, since who publishes knows their types and no format. What cannot be written or read is nil,
/// and the relay's to report.
///
/// `send`, `follow` and `unfollow` are called under locks, each one at a time: they return at once, call
/// nothing of ``Topics``, and take no lock under which ``Topics`` is called.
package protocol TopicRelay: AnyObject, Sendable {
  /// Whether another node may have subscribers to a topic; else a value is not even encoded.
  func isWanted(_ topic: String) -> Bool

  /// A value as bytes.
  func encode<Value: Encodable>(_ value: Value) -> [UInt8]?

  /// A value of bytes that another node has made.
  func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) -> Value?

  /// Takes a message for all nodes that have subscribers to its topic; in the order of sequences.
  func send(_ message: TopicMessage)

  /// A topic has its first subscriber here.
  func follow(_ topic: String)

  /// A topic has no subscriber here any more.
  func unfollow(_ topic: String)
}

/// A published value on its way to other nodes.
package struct TopicMessage: Hashable, Sendable {
  package let topic: String
  /// A random number of the sending process's.
  package let sender: UInt64
  /// Grows from one message of a sender to the next, from 1 on; between two to the same topic may be others.
  package let sequence: UInt64
  package let bytes: [UInt8]

  package init(topic: String, sender: UInt64, sequence: UInt64, bytes: [UInt8]) {
    self.topic = topic
    self.sender = sender
    self.sequence = sequence
    self.bytes = bytes
  }
}
