package import FusionSessions

/// An event between nodes, for the log.
package enum ClusterEvent: Sendable {
  /// A node has not answered a request that was passed on to it.
  case unanswered(Node, ForwardingError)
  /// A request to this node's port had no valid signature.
  case unsigned
  /// A node is there that cannot reach this one, which has no address.
  case unreachable(from: Node)
  case topics(TopicEvent)
}
