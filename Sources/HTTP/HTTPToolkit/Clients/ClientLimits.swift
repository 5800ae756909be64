import FusionHTTPMessages

/// What one client may have, so that none can take everything from the others.
///
/// A client is an address, or the network of 64 bits that a site has of IPv6. Behind a proxy that is not
/// trusted all clients are one, so addresses of private networks are limited only where it is asked for.
package struct ClientLimits: Sendable {
  /// Sessions that it has created and that have not ended, since the start of the process; nil for
  /// ``usualSessions``, and none in private networks.
  package var sessions: Int?
  /// Streams that it has open; nil for ``usualStreams``, and no limit in private networks.
  package var streams: Int?
  /// Inputs that it may send in a second, on the average; nil for no limit.
  package var inputsPerSecond: Int?

  package static let usualSessions = 1_000
  package static let usualStreams = 100

  package init() {}
}

extension IPAddress {
  /// Whether it means nothing outside a network of somebody's own (RFC 6890): it may be a proxy's.
  var isPrivate: Bool {
    isLoopback || privateNetworks.contains { $0.contains(self) }
  }
}

private let privateNetworks = [
  "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10", "fc00::/7",
  "fe80::/10",
].compactMap(IPNetwork.init)
