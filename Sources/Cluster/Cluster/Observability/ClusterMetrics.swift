import FusionHTTPMessages
package import FusionMetrics
import Synchronization

/// The metrics of what passes between nodes; all of them stay at zero in a service of one node.
package final class ClusterMetrics: Sendable {
  let answered: Counter
  let elsewhere: Counter
  let unsent: Counter
  let unanswered: Counter
  let topicsSent: Counter
  let topicsReceived: Counter
  let topicsDropped: Counter
  let topicsUnreadable: Counter
  /// The number of other nodes' sessions that are followed.
  let followed = Atomic<Int>(0)

  package init(_ metrics: Metrics) {
    func forwarded(_ result: String) -> Counter {
      metrics.counter(
        "uifusion_forwarded_total",
        "Requests that were passed on to the node that has their session, by result.",
        ["result": result]
      )
    }
    func topics(_ result: String) -> Counter {
      metrics.counter(
        "uifusion_topic_values_total",
        "Values of topics between this node and others, by result.",
        ["result": result]
      )
    }
    answered = forwarded("answered")
    elsewhere = forwarded("elsewhere")
    unsent = forwarded("unsent")
    unanswered = forwarded("unanswered")
    topicsSent = topics("sent")
    topicsReceived = topics("received")
    topicsDropped = topics("dropped")
    topicsUnreadable = topics("unreadable")
    metrics.gauge(
      "uifusion_node_streams",
      "Sessions of other nodes that somebody follows here."
    ) { [weak self] in Double(self?.followed.load(ordering: .relaxed) ?? 0) }
  }
}

extension ClusterMetrics {
  func count(_ result: Result<HTTPResponse, ForwardingError>) {
    switch result {
    case .success: answered.add()
    case .failure(.notOwner): elsewhere.add()
    case .failure(.notSent), .failure(.full): unsent.add()
    case .failure(.noAnswer): unanswered.add()
    }
  }

  func count(_ event: TopicEvent) {
    switch event {
    case .sent(let count): topicsSent.add(count)
    case .received(let count): topicsReceived.add(count)
    case .dropped(let count): topicsDropped.add(count)
    case .unwritable, .tooLarge: topicsDropped.add()
    case .unreadable: topicsUnreadable.add()
    case .isLosing, .isDelivering: break
    }
  }
}
