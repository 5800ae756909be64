package import FusionSessions

/// An event in the delivery of values between nodes, for metrics and the log.
package enum TopicEvent: Sendable {
  /// A node has taken so many.
  case sent(Int)
  /// A number of values that came from another node.
  case received(Int)
  /// A number of values that will not reach a node.
  case dropped(Int)
  /// A node that is there does not take what is sent to it, and values are dropped; told once until it does.
  case isLosing(Node, reason: String)
  /// It does again.
  case isDelivering(Node)
  /// A value that another node has sent is none of the type that is read here.
  case unreadable(type: String)
  /// A value has no JSON, and reaches this node's sessions alone.
  case unwritable(type: String)
  /// A value has too many bytes as JSON, and reaches this node's sessions alone.
  case tooLarge(type: String, bytes: Int)
}
