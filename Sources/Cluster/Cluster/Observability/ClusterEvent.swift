package import FusionSessions

/// An event between nodes, for the log.
package enum ClusterEvent: Sendable {
  /// A node has not answered a request that was forwarded to it.
  case unanswered(Node, ForwardingError)
  /// A request to this node's port had no valid signature.
  case unsigned
  /// This node has no address, so that the node `from` cannot reach it.
  case unreachable(from: Node)
  case topics(TopicEvent)
}
