import FusionCluster
import FusionMicrohttpdServer

extension Configuration {
  /// Whether several nodes share the store.
  var isShared: Bool {
    if case .postgresql = data { true } else { makeSharedStore != nil }
  }

  /// Opens the port between nodes; returns nil where no other process shares the store.
  func openNodePort(_ log: Log) throws(ServiceError) -> NodePort? {
    guard let options = try nodePortOptions(log) else { return nil }
    do throws(NodePortError) {
      return try NodePort(options)
    } catch {
      throw ServiceError(error.description)
    }
  }

  /// Returns the options of that port.
  func nodePortOptions(_ log: Log) throws(ServiceError) -> NodePort.Options? {
    let address = try nodeHost
    guard isShared else { return nil }
    var options = NodePort.Options()
    options.server = address.map { nodes($0.host, $0.port, log) }
    if let nodeSecretFile {
      let file = try NodeSecretFile(nodeSecretFile)
      options.secret = file.secret
      if file.isExposed {
        log.warning(
          "any user of this machine may read --node-secret-file: take that right from others (chmod o=)"
        )
      }
    }
    options.link.answerBytes = maxState + 1 << 20
    options.link.connections = MicrohttpdServer.connections(
      wanted: maxConnections,
      shareOfOpenFiles: OpenFileShares.toNodes
    )
    return options
  }

  /// Returns the URL at which other nodes find this one; nil where they cannot.
  func nodeURL(of port: NodePort?) throws(ServiceError) -> String? {
    guard let number = port?.number, let host = try nodeHost?.host else { return nil }
    return "http://" + (host.contains(":") ? "[\(host)]" : host) + ":\(number)"
  }

  /// The address at which this node listens for others; nil where it does not.
  private var nodeHost: (host: String, port: Int)? {
    get throws(ServiceError) {
      guard let nodeAddress else { return nil }
      guard isShared else {
        throw ServiceError(
          "--node-address is for nodes that share a store: \(data) is this process's alone"
        )
      }
      guard let address = Self.hostAndPort(nodeAddress) else {
        throw ServiceError("\(nodeAddress) is no address such as 10.0.0.3:7946 or [::1]:7946")
      }
      if ["0.0.0.0", "::"].contains(address.host) {
        throw ServiceError(
          "--node-address \(nodeAddress): other nodes cannot find it by that, name this machine's own address"
        )
      }
      if nodeSecretFile == nil, !isLoopback(address.host) {
        throw ServiceError(
          "--node-address \(nodeAddress) needs a --node-secret-file, the same on all nodes: "
            + "write one with openssl rand -hex 32"
        )
      }
      return address
    }
  }

  /// The server of the port between nodes.
  private func nodes(_ host: String, _ port: Int, _ log: Log) -> MicrohttpdServer.Configuration {
    var server = MicrohttpdServer.Configuration(host: host, port: port)
    server.threads = threads
    server.connectionLimit = maxConnections
    server.shareOfOpenFiles = OpenFileShares.fromNodes
    server.maxBodyBytes = max(maxBody, NodePort.largestBody)
    // For the head that the client has sent, and what nodes add to it.
    server.connectionMemory *= 5
    server.log = { log.debug("libmicrohttpd", ("text", withoutSessionIDs($0))) }
    return server
  }
}
