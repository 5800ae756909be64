import FusionMetrics
import FusionSessionAPI

/// The metrics of topics between nodes; a service of one node has none.
struct TopicMetrics: Sendable {
  private let sent: Counter
  private let received: Counter
  private let dropped: Counter
  private let unreadable: Counter

  init(_ metrics: Metrics) {
    func counter(_ result: String) -> Counter {
      metrics.counter(
        "uifusion_topic_values_total",
        "Values of topics between this node and others, by what came of them.",
        ["result": result]
      )
    }
    sent = counter("sent")
    received = counter("received")
    dropped = counter("dropped")
    unreadable = counter("unreadable")
  }

  func count(_ event: TopicEvent) {
    switch event {
    case .sent(let count): sent.add(count)
    case .received(let count): received.add(count)
    case .dropped(let count): dropped.add(count)
    case .unwritable, .tooLarge: dropped.add()
    case .unreadable: unreadable.add()
    case .isLosing, .isDelivering: break
    }
  }
}
