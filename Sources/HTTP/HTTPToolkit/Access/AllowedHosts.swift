package import FusionHTTPMessages

/// The values of `Host` that the service accepts.
///
/// An attacker's DNS can point a name at this machine, so that a browser treats a foreign page and this
/// service as one site (DNS rebinding). The browser still sends that name in `Host`, and is refused.
package struct AllowedHosts: RequestCheck {
  /// The names; nil if every name is allowed.
  private let names: [HostAndPort]?
  /// Whether requests that a trusted proxy forwards are accepted with any host, except those for metrics.
  private var areForDirectClients = false

  package static let any = AllowedHosts(names: nil)

  /// Returns this machine's names that no DNS server can change, together with `name`.
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

  /// Returns a host in its normalized form: lower case, an IPv6 address in brackets; nil if the text is not a
  /// host.
  ///
  /// A host without a port matches every port.
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

  /// Returns whether a request may be a kubelet's or a Prometheus's, which use an address instead of a name.
  ///
  /// Any client may read health. Metrics are refused to a page whose name an attacker's DNS has pointed here.
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
  /// Only an HTTP/1.0 request may lack Host, and browsers do not speak HTTP/1.0.
  func contain(_ host: String?) -> Bool {
    guard let names, let host else { return true }
    return names.contains { $0.covers(host) }
  }
}
