package import FusionHTTPMessages

/// The proxies whose descriptions of their clients are trusted.
///
/// Anyone can send `X-Forwarded-For`. The header is used only if the connection comes from one of these
/// addresses; from the last hop backwards, hops count as long as such a proxy described them.
package struct TrustedProxies: Sendable {
  private var networks: [IPNetwork] = []
  /// The headers that these proxies write.
  package var headers = ForwardedHeaders.any
  /// Whether every client of a Unix socket is trusted.
  private var areLocal = false

  package init() {}

  package init(_ networks: [IPNetwork]) {
    self.networks = networks
  }

  /// Adds a network (`10.0.0.0/8`) or an address; `unix` stands for the clients of a Unix socket, which have
  /// no address.
  ///
  /// Returns false for any other text.
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

  package var areNone: Bool { networks.isEmpty && !areLocal }

  private func contain(_ address: IPAddress?) -> Bool {
    guard let address else { return areLocal }
    return networks.contains { $0.contains(address) }
  }

  /// Returns a request as its client sent it to the outermost trusted proxy: client, scheme and `Host`.
  ///
  /// Unchanged if it does not come from a trusted proxy.
  package func seenThrough(_ request: HTTPRequest) -> HTTPRequest {
    guard contain(request.connection.client) else { return request }
    var request = request
    request.isFromTrustedProxy = true
    guard var hops = headers.hops(of: request) else { return request }
    // The connected proxy wrote the last hop, that hop's client the one before, up to the first untrusted
    // one.
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

/// Larger than any realistic number of proxies.
private let hopLimit = 32
