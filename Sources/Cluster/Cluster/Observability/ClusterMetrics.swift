import FusionHTTPMessages
package import FusionMetrics
import Synchronization

/// The metrics of what passes between nodes; all of them stay at zero in a service of one node.
package final class ClusterMetrics: Sendable {
  private enum Forwarding: String, CaseIterable { case answered, elsewhere, unsent, unanswered }
  private enum TopicValues: String, CaseIterable { case sent, received, dropped, unreadable }

  private let forwarded: [Forwarding: Counter]
  private let topics: [TopicValues: Counter]
  /// The number of other nodes' sessions that are followed.
  let followed = Atomic<Int>(0)

  package init(_ metrics: Metrics) {
    forwarded = metrics.counters(
      "uifusion_forwarded_total",
      "Requests that were passed on to the node that has their session, by result.",
      by: "result"
    )
    topics = metrics.counters(
      "uifusion_topic_values_total",
      "Values of topics between this node and others, by result.",
      by: "result"
    )
    metrics.gauge(
      "uifusion_node_streams",
      "Sessions of other nodes that somebody follows here."
    ) { [weak self] in Double(self?.followed.load(ordering: .relaxed) ?? 0) }
  }

  func count(_ result: Result<HTTPResponse, ForwardingError>) {
    let outcome: Forwarding =
      switch result {
      case .success: .answered
      case .failure(.notOwner): .elsewhere
      case .failure(.notSent), .failure(.full): .unsent
      case .failure(.noAnswer): .unanswered
      }
    forwarded[outcome]?.add()
  }

  func count(_ event: TopicEvent) {
    switch event {
    case .sent(let count): topics[.sent]?.add(count)
    case .received(let count): topics[.received]?.add(count)
    case .dropped(let count): topics[.dropped]?.add(count)
    case .unwritable, .tooLarge: topics[.dropped]?.add()
    case .unreadable: topics[.unreadable]?.add()
    case .isLosing, .isDelivering: break
    }
  }
}
