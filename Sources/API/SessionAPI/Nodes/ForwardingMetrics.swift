import FusionHTTPMessages
import FusionMetrics

/// The metrics of requests between nodes; a service of one node has none.
struct ForwardingMetrics: Sendable {
  private let answered: Counter
  private let elsewhere: Counter
  private let unsent: Counter
  private let unanswered: Counter

  init(_ metrics: Metrics, _ relays: SessionFeedProxies?) {
    func counter(_ result: String) -> Counter {
      metrics.counter(
        "uifusion_forwarded_total",
        "Requests that were passed on to the node that has their session, by what came of it.",
        ["result": result]
      )
    }
    answered = counter("answered")
    elsewhere = counter("elsewhere")
    unsent = counter("unsent")
    unanswered = counter("unanswered")
    metrics.gauge(
      "uifusion_node_streams",
      "Streams from other nodes: one for each of their sessions that somebody follows here."
    ) { Double(relays?.upstreams ?? 0) }
  }

  func count(_ result: Result<HTTPResponse, ForwardingError>) {
    switch result {
    case .success: answered.add()
    case .failure(.notOwner): elsewhere.add()
    case .failure(.notSent), .failure(.full): unsent.add()
    case .failure(.noAnswer): unanswered.add()
    }
  }
}
