import FoundationEssentials
package import FusionHTTPMessages
package import FusionSessionAPI
package import FusionSessions
package import UIFusionKit

/// This process as one of several nodes, which finds sessions on all of them and answers the others.
package final class ClusterNode: Sendable {
  /// The locator of sessions on all nodes.
  package let locator: any SessionLocator
  private let host: SessionHost
  private let transport: WatchedTransport
  private let proxies: SessionFeedProxies
  private let feeds: FeedServer
  private let topics: NodeTopics
  private let heartbeat: Duration
  private let report: @Sendable (ClusterEvent) -> Void

  /// Creates a node.
  ///
  /// - Parameters:
  ///   - host: the sessions of this node.
  ///   - transport: the way to other nodes.
  ///   - readiness: the phase of the service.
  ///   - isReachable: whether other nodes can ask this one.
  ///   - heartbeat: how long a client's stream may be silent.
  ///   - metrics: counts what passes between nodes.
  ///   - report: called with each event, on any thread and under locks: the closure must not publish to topics.
  package init(
    _ host: SessionHost,
    _ transport: any NodeTransport,
    _ readiness: Readiness,
    isReachable: Bool = true,
    heartbeat: Duration = .seconds(15),
    metrics: ClusterMetrics,
    report: @escaping @Sendable (ClusterEvent) -> Void = { _ in }
  ) {
    self.host = host
    self.heartbeat = heartbeat
    self.report = report
    let time = host.dependencies.time
    let watched = WatchedTransport(transport, time)
    self.transport = watched
    proxies = SessionFeedProxies(host, watched, readiness, metrics)
    feeds = FeedServer(host)
    locator = NodeSessionLocator(
      host: host,
      transport: watched,
      readiness: readiness,
      feeds: proxies,
      metrics: metrics,
      report: report
    )
    let neighbors = NeighborCheck(isReachable: isReachable, transport, time, report: report)
    let onLivingNodes = { @Sendable [feeds] (nodes: [Node]) in
      neighbors.check(nodes)
      feeds.update(livingNodes: nodes)
    }
    topics = NodeTopics(transport, time, onLivingNodes: onLivingNodes) { event in
      metrics.count(event)
      report(.topics(event))
    }
  }

  /// Creates a node whose requests and answers go through a port.
  package convenience init(
    _ host: SessionHost,
    _ port: NodePort,
    _ readiness: Readiness,
    heartbeat: Duration,
    metrics: ClusterMetrics,
    report: @escaping @Sendable (ClusterEvent) -> Void
  ) {
    let transport = SignedTransport(port.link, port.signature(in: host), now: host.wallTime)
    self.init(
      host,
      transport,
      readiness,
      isReachable: port.number != nil,
      heartbeat: heartbeat,
      metrics: metrics,
      report: report
    )
  }

  /// The relay of topics to other nodes.
  package var topicRelay: any TopicRelay { topics }

  /// Opens a port to other nodes, whose requests for sessions `api` answers.
  package func open(_ port: NodePort, _ api: SessionAPI) {
    let verifier = NodeRequestVerifier(
      port.signature(in: host),
      number: { [weak host] in host?.ownership.node?.number },
      now: host.wallTime,
      refused: { [report] in report(.unsigned) },
      handler: handler(api)
    )
    port.open(verifier.handle)
  }

  /// Returns the handler of requests from other nodes whose signature is verified.
  package func handler(_ api: SessionAPI) -> HTTPHandler {
    let api = api.forNodes()
    return { [self] request, respond in
      if let name = FeedRequest.name(in: request.target) {
        respond(feeds.answer(request, for: name))
      } else if request.method == .post, request.target.segments == TopicBatch.target.segments {
        let isTaken = topics.take(request.body, for: host.dependencies.topics)
        respond(HTTPResponse(isTaken ? 204 : 400))
      } else {
        api.handle(request, respond)
      }
    }
  }

  /// Looks after the links to other nodes; called once a second.
  package func watch() {
    topics.look(for: host)
    transport.watch()
    feeds.watch()
    // Longer than a takeover by another node.
    proxies.endLost(for: max(heartbeat, .seconds(10)))
  }
}

extension SessionHost {
  /// The calendar's time, in milliseconds since 1970.
  fileprivate var wallTime: @Sendable () -> Int64 {
    let date = dependencies.date
    return { date().milliseconds }
  }
}

extension NodePort {
  /// The largest body of a request that a node makes by itself, and not for a client.
  package static let largestBody = max(TopicBatch.limit, FeedChange.largestBody)

  fileprivate func signature(in host: SessionHost) -> NodeSignature {
    NodeSignature(secret: secret, storeSecret: host.secret)
  }
}
