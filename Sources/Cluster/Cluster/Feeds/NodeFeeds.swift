import FusionSessions
import Synchronization
import UIFusionKit

/// The feeds from other nodes, one for each node whose sessions are followed here.
final class NodeFeeds: Sendable {
  private struct Contents {
    var lastNumber = 0
    var feeds: [Node: NodeFeed] = [:]
  }

  private let transport: any NodeTransport
  private let metrics: ClusterMetrics
  /// Returns the address of this node.
  private let address: @Sendable () -> String?
  /// The random number that the names of this process's feeds begin with.
  private let reader: UInt64
  private let contents = Mutex(Contents())

  init(
    _ transport: any NodeTransport,
    _ random: RandomSource,
    _ metrics: ClusterMetrics,
    address: @escaping @Sendable () -> String?
  ) {
    self.address = address
    self.transport = transport
    self.metrics = metrics
    reader = random.next()
  }

  /// Follows a session on the node that has it.
  ///
  /// `take` is called with each frame about the session, in order, perhaps before the function returns.
  func follow(
    _ id: SessionID,
    on node: Node,
    _ take: @escaping NodeFeed.Receiver
  ) -> FeedSubscription {
    let (subscription, isNew) = contents.withLock { contents in
      if let feed = contents.feeds[node], let number = feed.follow(id, take) {
        return (FeedSubscription(feed: feed, number: number), false)
      }
      contents.lastNumber += 1
      let name = "\(reader)-\(contents.lastNumber)"
      let feed = NodeFeed(of: node, name: name, readBy: address(), transport, metrics) {
        [weak self] in
        self?.forget($0)
      }
      contents.feeds[node] = feed
      return (FeedSubscription(feed: feed, number: feed.follow(id, take) ?? 0), true)
    }
    if isNew { subscription.feed.open() } else { subscription.feed.sendChanges() }
    return subscription
  }

  private func forget(_ feed: NodeFeed) {
    contents.withLock { contents in
      if contents.feeds[feed.node] === feed { contents.feeds[feed.node] = nil }
    }
  }
}

/// A session that is followed on another node.
struct FeedSubscription: Sendable {
  fileprivate let feed: NodeFeed
  fileprivate let number: Int

  func cancel() { feed.drop(number) }

  /// Notes that a visitor follows the session here; ``flush()`` tells the node.
  func enter(_ visitor: Visitor) { feed.add(.enter(number, visitor)) }

  func leave(_ visitor: Visitor) { feed.add(.leave(number, visitor)) }

  func flush() { feed.sendChanges() }
}
