import FusionMicrohttpdServer
import FusionSessionAPI
import FusionSessions

/// The place at which a node listens for others.
struct NodePlace {
  /// The address; nil if the node does not listen.
  var address: (host: String, port: Int)?

  func url(port: Int) -> String {
    guard let host = address?.host else { return "" }
    return "http://" + (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
  }
}

extension Configuration {
  /// Whether several nodes share the store.
  var isShared: Bool {
    if case .postgresql = data { true } else { makeSharedStore != nil }
  }

  /// The place at which this node listens; nil if the store is not shared.
  var nodePlace: NodePlace? {
    get throws(ServiceError) {
      guard isShared else {
        if nodeAddress == nil { return nil }
        throw ServiceError(
          description:
            "--node-address is for nodes that share a store: \(data) is this process's alone"
        )
      }
      guard let nodeAddress else { return NodePlace() }
      guard let address = Self.hostAndPort(nodeAddress) else {
        throw ServiceError(
          description: "\(nodeAddress) is no address such as 10.0.0.3:7946 or [::1]:7946"
        )
      }
      if ["0.0.0.0", "::"].contains(address.host) {
        throw ServiceError(
          description:
            "--node-address \(nodeAddress): other nodes cannot find it by that, name this machine's own address"
        )
      }
      if nodeSecretFile == nil, !isLoopback(address.host) {
        throw ServiceError(
          description:
            "--node-address \(nodeAddress) needs a --node-secret-file, the same on all nodes: "
            + "write one with openssl rand -hex 32"
        )
      }
      return NodePlace(address: address)
    }
  }

  /// Makes the configuration of the port for other nodes.
  func nodes(_ host: String, _ port: Int, _ log: Log) -> MicrohttpdServer.Configuration {
    var server = MicrohttpdServer.Configuration(host: host, port: port)
    server.threads = threads
    server.connectionLimit = maxConnections
    server.shareOfOpenFiles = OpenFileShares.fromNodes
    server.maxBodyBytes = max(maxBody, NodeTopics.largestRequest)
    // For the head that the client has sent, and what nodes add to it.
    server.connectionMemory *= 2
    server.log = { log.debug("libmicrohttpd", ("text", withoutSessionIDs($0))) }
    return server
  }

  /// Reads an address such as `10.0.0.3:7946` or `[fd00::3]:7946`; nil for any other text.
  static func hostAndPort(_ text: String) -> (host: String, port: Int)? {
    guard let colon = text.lastIndex(of: ":"),
      let port = Int(text[text.index(after: colon)...]), 0...65_535 ~= port
    else { return nil }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      return nil
    }
    return host.isEmpty ? nil : (String(host), port)
  }
}
