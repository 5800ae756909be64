import FusionHTTPMessages
import FusionSessionAPI
import FusionSessions
import Synchronization
import UIFusionKit

/// A check of the way to each new node, before a client's request has to be passed on.
final class NewNodes: Sendable {
  /// The time after which a node is more than the lease of a process that was killed.
  private static let patience = Duration.seconds(5)

  private struct Contents {
    /// The time since which a node has been there, by its number.
    var since: [Int64: Duration] = [:]
    var isWarned = false
  }

  private let isReachable: Bool
  private let forwarding: any RequestForwarding
  private let time: any TimeSource
  private let log: Log
  private let contents = Mutex(Contents())

  init(
    isReachable: Bool,
    _ forwarding: any RequestForwarding,
    _ time: any TimeSource,
    _ log: Log
  ) {
    self.isReachable = isReachable
    self.forwarding = forwarding
    self.time = time
    self.log = log
  }

  /// Takes the nodes that are there now; called once a second.
  func meet(_ nodes: [Node]) {
    let now = time.now
    let (new, neighbor): ([Node], Node?) = contents.withLock { contents in
      let new = nodes.filter { contents.since[$0.number] == nil }
      contents.since = Dictionary(nodes.map { ($0.number, contents.since[$0.number] ?? now) }) {
        first,
        _ in first
      }
      guard !isReachable, !contents.isWarned else { return (new, nil) }
      let neighbor = nodes.first {
        now - (contents.since[$0.number] ?? now) >= Self.patience
      }
      contents.isWarned = neighbor != nil
      return (new, neighbor)
    }
    for node in new where !node.address.isEmpty {
      // A node with another secret or another calendar says so in its log.
      forwarding.forward(NodeTopics.greeting, to: node, within: .seconds(2), isHeld: true) { _ in }
    }
    if let neighbor {
      log.warning(
        "other nodes cannot reach this one's sessions: give it a --node-address",
        ("neighbor", neighbor.name)
      )
    }
  }
}
