package import FusionHTTPMessages

/// The values of `Host` that the service answers.
///
/// An attacker's DNS can point a name at this machine, so that a browser takes a foreign page and this service for
/// one site (DNS rebinding). The browser still sends that name in `Host`, and is refused.
package struct AllowedHosts: RequestCheck {
  /// The names; nil where every name is allowed.
  private let names: [HostAndPort]?
  /// Whether requests that a trusted proxy passes on are answered whatever their host.
  private var areForDirectClients = false

  package static let any = AllowedHosts(names: nil)

  /// Returns the names of this machine that no DNS server can change, and `name`.
  package static func loopback(and name: String?) -> AllowedHosts {
    let names = ["127.0.0.1", "localhost", "[::1]"]
    var hosts = AllowedHosts(names + (name.map { [$0] } ?? []).filter { !names.contains($0) })
    // A proxy's clients use the proxy's names.
    hosts.areForDirectClients = true
    return hosts
  }

  private init(names: [HostAndPort]?) {
    self.names = names
  }

  /// - Parameter names: the results of ``normalized(_:)``.
  package init(_ names: [String]) {
    self.init(names: names.compactMap(HostAndPort.init))
  }

  /// Returns a host in the form in which hosts are compared: lower case, an IPv6 address in brackets; nil where the
  /// text is no host.
  ///
  /// A host without a port stands for every port.
  package static func normalized(_ text: String) -> String? {
    let isBareAddress = text.utf8.count { $0 == UInt8(ascii: ":") } > 1 && !text.hasPrefix("[")
    let name = isBareAddress ? "[\(text)]" : text
    return HostAndPort(name)?.description
  }

  var areAll: Bool { names == nil }

  package func check(_ request: HTTPRequest) throws(Problem) {
    if areForDirectClients, request.connection.isForwarded, request.target.segments != ["metrics"] {
      return
    }
    let host = request.headers["Host"]
    guard contain(host) || isProbe(request, host) else { throw .misdirected }
  }

  /// Returns whether a request may be a kubelet's or a Prometheus's, which ask by address and not by name.
  ///
  /// Any client may read health. Metrics are not for a page whose name an attacker's DNS has pointed here.
  private func isProbe(_ request: HTTPRequest, _ host: String?) -> Bool {
    switch request.target.segments {
    case ["healthz"], ["readyz"]: true
    // A client behind a proxy may send any host.
    case ["metrics"]:
      !request.connection.isForwarded && host.map { HostAndPort($0)?.address != nil } ?? true
    default: false
    }
  }

  /// Returns whether `Host` is one of the names; a name with a port matches only that port.
  ///
  /// Only HTTP/1.0 can do without Host, and no browser speaks it: there is no page to be misled.
  func contain(_ host: String?) -> Bool {
    guard let names, let host else { return true }
    return names.contains { $0.covers(host) }
  }
}
