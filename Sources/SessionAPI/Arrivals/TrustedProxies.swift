package import FusionHTTPMessages

/// The proxies that are believed in what they say of the clients behind them.
///
/// Anybody can send `X-Forwarded-For`. It counts where the connection comes from one of these addresses,
/// and of several hops those that they vouch for, from the last one back.
package struct TrustedProxies: Sendable {
  private let networks: [IPNetwork]

  package init(_ networks: [IPNetwork] = []) {
    self.networks = networks
  }

  var areNone: Bool { networks.isEmpty }

  private func contain(_ address: IPAddress?) -> Bool {
    guard let address else { return false }
    return networks.contains { $0.contains(address) }
  }

  /// The request as its client sent it to the outermost of them: client, scheme and Host.
  ///
  /// As it came where it comes from elsewhere, or says nothing of a hop.
  func seenThrough(_ request: HTTPRequest) -> HTTPRequest {
    guard contain(request.arrival.client), let hops = ForwardedHops(request.headers) else {
      return request
    }
    var request = request
    request.arrival.isForwarded = true
    // The last one was written by the proxy that is connected, the one before by who connected to that one.
    var hop = hops.last
    for index in hops.addresses.indices.reversed() {
      hop = hops[index]
      guard let address = hops.addresses[index] else { break }
      request.arrival.client = address
      if !contain(address) { break }
    }
    if let scheme = hop.scheme { request.arrival.isEncrypted = scheme == "https" }
    if let host = hop.host { request.headers["Host"] = host }
    return request
  }
}
