package import FusionHTTPMessages

/// The proxies that are believed in what they say of the clients behind them.
///
/// Anybody can send `X-Forwarded-For`. It counts where the connection comes from one of these addresses,
/// and of several hops those that they vouch for, from the last one back.
package struct TrustedProxies: Sendable {
  private var networks: [IPNetwork] = []
  /// In which they say what they know.
  package var headers = ForwardedHeaders.any
  /// Whether whoever connects by a Unix socket is one.
  private var areLocal = false

  package init() {}

  package init(_ networks: [IPNetwork]) {
    self.networks = networks
  }

  /// Adds a network, `10.0.0.0/8`, or an address; `unix` stands for those that connect by a Unix socket and
  /// have none.
  ///
  /// False where it is none of these.
  package mutating func add(_ text: String) -> Bool {
    if text == "unix" {
      areLocal = true
    } else if let network = IPNetwork(text) {
      networks.append(network)
    } else {
      return false
    }
    return true
  }

  var areNone: Bool { networks.isEmpty && !areLocal }

  private func contain(_ address: IPAddress?) -> Bool {
    guard let address else { return areLocal }
    return networks.contains { $0.contains(address) }
  }

  /// The request as its client sent it to the outermost of them: client, scheme and Host.
  ///
  /// As it came where it comes from elsewhere, or says nothing of a hop.
  func seenThrough(_ request: HTTPRequest) -> HTTPRequest {
    guard contain(request.connection.client), var hops = headers.hops(of: request) else {
      return request
    }
    var request = request
    // The last hop was written down by the proxy that is connected, the one before by who connected to that
    // one: up to the first that is none of them.
    var known: ForwardedHop?
    for _ in 0..<hopLimit {
      guard let hop = hops.next() else { break }
      known = hop
      guard let client = hop.client else { break }
      request.connection.client = client
      request.connection.isClientForwarded = true
      if !contain(client) { break }
    }
    guard let known else { return request }
    request.connection.isForwarded = true
    if let scheme = known.scheme { request.connection.isEncrypted = scheme == .https }
    if let host = known.host { request.headers["Host"] = host }
    return request
  }
}

/// No service has as many proxies in front.
private let hopLimit = 32
