import FoundationEssentials
import FusionHTTPMessages
import FusionMicrohttpdServer
import FusionNodeLink
import FusionSessionAPI
import FusionSessions
import Synchronization
import UIFusionKit

/// The port at which other nodes ask this one, and the link over which this one asks them.
final class NodePort: Sendable {
  /// The address by which other nodes find this one; empty if there is none.
  let address: String
  private let link: NodeLink
  private let server: MicrohttpdServer?
  private let gate: LateVerifier
  private let secret: [UInt8]?
  private let log: NodeLog

  /// Starts to listen, and answers `draining` until ``serve(_:_:)``; nil if the store is not shared.
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

  /// Makes the forwarding of requests to other nodes, signed by the secret of the file or else of the store.
  func forwarding(_ host: SessionHost) -> NodeForwarding {
    let now = calendar(of: host)
    return NodeForwarding(link, signature(host), now: now) { [log] node, error in
      log.report(error, of: node)
    }
  }

  /// Makes the relay of topics to other nodes.
  func topics(_ host: SessionHost, _ metrics: TopicMetrics) -> NodeTopics {
    // `NodeTopics` reports by itself the values that it cannot pass on.
    let forwarding = NodeForwarding(link, signature(host), now: calendar(of: host))
    let time = host.dependencies.time
    let new = NewNodes(isReachable: !address.isEmpty, forwarding, time, log.log)
    return NodeTopics(forwarding, time, met: new.meet) { [log] event in
      metrics.count(event)
      log.report(event)
    }
  }

  /// Begins to answer other nodes.
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

  /// Answers the requests in flight, and ends all streams.
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

/// A handler of requests that answers `draining` until the verifier is there.
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
