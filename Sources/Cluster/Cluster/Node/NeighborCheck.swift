import FusionSessions
import Synchronization
import UIFusionKit

/// Sends each new node a first request, so that two nodes that cannot talk to each other log it at the start, and not
/// when a client's request is forwarded.
final class NeighborCheck: Sendable {
  /// The time that a neighbor must exist before this node reports that it has no address itself: longer than the lease of
  /// a killed process.
  private static let gracePeriod = Duration.seconds(5)

  private struct Contents {
    /// The time at which each node was seen first, by its number.
    var firstSeen: [Int64: Duration] = [:]
    var hasComplained = false
  }

  private let isReachable: Bool
  private let transport: any NodeTransport
  private let time: any TimeSource
  private let report: @Sendable (ClusterEvent) -> Void
  private let contents = Mutex(Contents())

  init(
    isReachable: Bool,
    _ transport: any NodeTransport,
    _ time: any TimeSource,
    report: @escaping @Sendable (ClusterEvent) -> Void
  ) {
    self.isReachable = isReachable
    self.transport = transport
    self.time = time
    self.report = report
  }

  /// Takes the living nodes; called once a second.
  func check(_ nodes: [Node]) {
    let now = time.now
    let (new, neighbor): ([Node], Node?) = contents.withLock { contents in
      let known = contents.firstSeen
      contents.firstSeen = [:]
      for node in nodes { contents.firstSeen[node.number] = known[node.number] ?? now }
      let new = nodes.filter { known[$0.number] == nil && !$0.address.isEmpty }
      guard !isReachable, !contents.hasComplained else { return (new, nil) }
      let neighbor = nodes.first { now - (known[$0.number] ?? now) >= Self.gracePeriod }
      contents.hasComplained = neighbor != nil
      return (new, neighbor)
    }
    for node in new {
      // A node with another secret or calendar refuses the request, and logs that.
      transport.forward(NodeTopics.greeting, to: node, within: .seconds(2), over: .own) { _ in }
    }
    if let neighbor { report(.unreachable(from: neighbor)) }
  }
}
