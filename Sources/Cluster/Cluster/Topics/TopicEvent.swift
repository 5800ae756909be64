package import FusionSessions

/// An event in the delivery of values between nodes, for metrics and the log.
package enum TopicEvent: Sendable {
  /// A node has taken a number of values.
  case sent(Int)
  /// A number of values that came from another node.
  case received(Int)
  /// A number of values that will not reach a node.
  case dropped(Int)
  /// A living node does not take values, which are dropped; told once until the node takes some.
  case isLosing(Node, reason: String)
  /// The node takes values again.
  case isDelivering(Node)
  /// A value from another node cannot be read as the type that is expected here.
  case unreadable(type: String)
  /// A value has no JSON, and reaches this node's sessions alone.
  case unwritable(type: String)
  /// A value has too many bytes as JSON, and reaches this node's sessions alone.
  case tooLarge(type: String, bytes: Int)
}
