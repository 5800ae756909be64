import FoundationEssentials
import FusionHTTPMessages
import FusionMicrohttpdServer
import FusionNodeLink
import FusionSessionAPI
import FusionSessions
import Synchronization
import UIFusionKit

/// Where one of several nodes is asked by the others, and how it asks them.
final class NodePort: Sendable {
  /// The address by which other nodes find this one; empty where they cannot.
  let address: String
  private let link: NodeLink
  private let server: MicrohttpdServer?
  private let gate: LateVerifier
  private let secret: [UInt8]?
  private let log: NodeLog

  /// Listens from here on, and answers from ``serve(_:_:)`` on; nil where the store is not shared.
  init?(_ configuration: Configuration, _ dependencies: Dependencies, _ log: Log) throws {
    guard let place = try configuration.nodePlace else { return nil }
    let file = try configuration.nodeSecretFile.map(NodeSecretFile.init)
    secret = file?.secret
    self.log = NodeLog(log, dependencies.time)
    if file?.isExposed == true {
      log.warning(
        "any user of this machine may read --node-secret-file: take that right from others (chmod o=)"
      )
    }
    let gate = LateVerifier()
    self.gate = gate
    do {
      server = try place.address.map { host, port throws(StartError) in
        try MicrohttpdServer(configuration.nodes(host, port, log), handler: gate.handle)
      }
    } catch {
      throw ServiceError(description: "--node-address: \(error)")
    }
    address = server.map { server in place.url(port: server.port) } ?? ""
    var options = NodeLink.Options()
    options.answerBytes = configuration.maxState + 1 << 20
    options.connections = MicrohttpdServer.connections(
      wanted: configuration.maxConnections,
      shareOfOpenFiles: OpenFileShares.toNodes
    )
    guard let link = NodeLink(options) else {
      throw ServiceError(
        description: "the way to other nodes cannot be opened: too few files or threads are allowed"
      )
    }
    self.link = link
  }

  /// The way to other nodes; where no file has a secret, the store's own is that of all of them.
  func forwarding(_ host: SessionHost) -> NodeForwarding {
    let now = calendar(of: host)
    return NodeForwarding(link, signature(host), now: now) { [log] node, error in
      log.report(error, of: node)
    }
  }

  /// The way of topics to other nodes.
  func topics(_ host: SessionHost, _ metrics: TopicMetrics) -> NodeTopics {
    // Of what it cannot pass on, the topics tell themselves.
    let forwarding = NodeForwarding(link, signature(host), now: calendar(of: host))
    let time = host.dependencies.time
    let new = NewNodes(isReachable: !address.isEmpty, forwarding, time, log.log)
    return NodeTopics(forwarding, time, met: new.meet) { [log] event in
      metrics.count(event)
      log.report(event)
    }
  }

  /// Answers other nodes from here on.
  func serve(_ api: SessionAPI, _ host: SessionHost) {
    gate.open(
      NodeRequestVerifier(
        signature(host),
        number: { [weak host] in host?.node?.number },
        now: calendar(of: host),
        refused: { [log] in log.reportUnsigned() },
        handler: api.handle
      )
    )
  }

  /// Answers what was asked, and ends what goes on.
  func stop() async {
    await server?.stop(within: .seconds(1))
    link.stop()
  }

  private func signature(_ host: SessionHost) -> NodeSignature {
    NodeSignature(secret: secret ?? [], storeSecret: host.secret)
  }

  private func calendar(of host: SessionHost) -> @Sendable () -> Int64 {
    let date = host.dependencies.date
    return { Int64(date().timeIntervalSince1970 * 1_000) }
  }
}

/// A port's handler before there is anything to ask for.
private final class LateVerifier: Sendable {
  private let gate = Mutex<NodeRequestVerifier?>(nil)

  func open(_ gate: NodeRequestVerifier) {
    self.gate.withLock { $0 = gate }
  }

  func handle(_ request: HTTPRequest, _ responder: any HTTPResponder) {
    guard let gate = gate.withLock(\.self) else { return responder(Problem.draining.response) }
    gate.handle(request, responder)
  }
}
