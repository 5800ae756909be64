import FusionCluster
import FusionSessions

extension NodeLog {
  /// Logs the events of topics between nodes that need attention.
  func report(_ event: TopicEvent) {
    switch event {
    case .sent, .received, .dropped: break
    case .isLosing(let node, let reason):
      log.warning(
        "values published to topics do not reach a node and are dropped",
        ("node", node.name),
        ("address", node.address),
        ("reason", reason)
      )
    case .isDelivering(let node):
      log.info(
        "values published to topics reach a node again",
        ("node", node.name),
        ("address", node.address)
      )
    case .unreadable(let type):
      reportSometimes(
        type,
        "a value of a topic cannot be read as another node has written it: in a rolling deploy, new members"
          + " are to be optional"
      )
    case .unwritable(let type):
      reportSometimes(
        type,
        "a value of a topic has no JSON: it reaches this node's sessions alone"
      )
    case .tooLarge(let type, let bytes):
      reportSometimes(
        type,
        "a value of a topic is too large for other nodes: it reaches this node's sessions alone",
        ("bytes", "\(bytes)")
      )
    }
  }
}
