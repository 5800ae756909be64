import FusionCluster
import FusionSessions
import Synchronization
import UIFusionKit

/// The log of other nodes; events that may come a thousand times a second have one line in ten seconds.
final class NodeLog: Sendable {
  private static let pause = Duration.seconds(10)

  let log: Log
  private let time: any TimeSource
  /// The time until which a subject is not logged: a node by its number, strangers as 0, or a type.
  private let quiet = Mutex<[String: Duration]>([:])

  init(_ log: Log, _ time: any TimeSource) {
    self.log = log
    self.time = time
  }

  func report(_ event: ClusterEvent) {
    switch event {
    case .unanswered(let node, let error): report(error, of: node)
    case .unsigned: reportUnsigned()
    case .unreachable(let neighbor):
      log.warning(
        "other nodes cannot reach this one's sessions: give it a --node-address",
        ("neighbor", neighbor.name)
      )
    case .topics(let event): report(event)
    }
  }

  private func report(_ error: ForwardingError, of node: Node) {
    guard isDue("\(node.number)") else { return }
    let reason =
      switch error {
      case .notOwner: "another node has the session"
      case .notSent(let text): "not sent: \(text)"
      case .full: "not sent: too many requests wait for it"
      case .noAnswer(let text): "no answer: \(text)"
      }
    log.warning(
      "a request could not be passed on to the node that has its session",
      ("node", node.name),
      ("address", node.address.isEmpty ? "none" : node.address),
      ("reason", reason)
    )
  }

  private func reportUnsigned() {
    guard isDue("0") else { return }
    log.warning(
      "a request to --node-address was not signed by a node: each needs the same --node-secret-file, and"
        + " clocks less than 30 seconds apart"
    )
  }

  /// Logs a line about a type's values, if none was logged lately.
  func reportSometimes(_ type: String, _ message: String, _ fields: Log.Field...) {
    guard isDue(type) else { return }
    log.emit(.warning, message, [("type", type)] + fields)
  }

  private func isDue(_ subject: String) -> Bool {
    let now = time.now
    return quiet.withLock { quiet in
      if let until = quiet[subject], until > now { return false }
      quiet = quiet.filter { $0.value > now }
      quiet[subject] = now + Self.pause
      return true
    }
  }
}

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
