package import FusionHTTPMessages

/// The values of `Host` that the service answers.
///
/// An attacker's DNS can point a name at this machine, so that a browser takes a foreign page and this service for
/// one site (DNS rebinding). The browser still sends that name in `Host`, and is refused.
package struct AllowedHosts: RequestCheck {
  /// The names in lower case; nil where every name is allowed.
  private let names: [String]?
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

  private init(names: [String]?) {
    self.names = names
  }

  /// - Parameter names: the results of ``normalized(_:)``.
  package init(_ names: [String]) {
    self.names = names
  }

  /// Returns a host in the form in which hosts are compared: lower case, an IPv6 address in brackets; nil where the
  /// text is no host.
  ///
  /// A host without a port stands for every port.
  package static func normalized(_ text: String) -> String? {
    let text = text.lowercased()
    let isBareAddress = text.utf8.count { $0 == UInt8(ascii: ":") } > 1 && !text.hasPrefix("[")
    let name = isBareAddress ? "[\(text)]" : text
    return isHostAndPort(name) ? name : nil
  }

  var areAll: Bool { names == nil }

  package func check(_ request: HTTPRequest) throws(Problem) {
    let isMetrics = request.target.segments == ["metrics"]
    if areForDirectClients, request.arrival.isForwarded, !isMetrics { return }
    let host = request.headers["Host"]
    guard contain(host) || isProbe(request, host) else { throw .misdirected }
  }

  /// Returns whether a request is one of a kubelet or a Prometheus, which know addresses and no names.
  ///
  /// Any client may read health. Metrics are not for a page whose name an attacker's DNS has pointed here.
  private func isProbe(_ request: HTTPRequest, _ host: String?) -> Bool {
    switch request.target.segments {
    case ["healthz"], ["readyz"]: true
    // A client behind a proxy may send any host.
    case ["metrics"]: !request.arrival.isForwarded && host.map(isAddress) ?? true
    default: false
    }
  }

  /// Returns whether `Host` is one of the names; a name with a port matches only that port.
  ///
  /// Only HTTP/1.0 can do without Host, and no browser speaks it: there is no page to be misled.
  func contain(_ host: String?) -> Bool {
    guard let names, let host else { return true }
    return names.contains { isName($0, ofHost: host) }
  }

  private func isName(_ name: String, ofHost host: String) -> Bool {
    let (name, host) = (name.utf8Span.span, host.utf8Span.span)
    guard host.count >= name.count else { return false }
    for index in name.indices where name[index] != lowercased(host[index]) { return false }
    return host.count == name.count || host[name.count] == UInt8(ascii: ":")
  }
}

/// Whether a text is a host and, if any, a port (RFC 3986 §3.2), in lower case.
func isHostAndPort(_ text: String) -> Bool {
  var rest = text.utf8[...]
  let isBracketed = rest.first == UInt8(ascii: "[")
  if isBracketed { rest.removeFirst() }
  let name = rest.prefix(while: isBracketed ? isOfAddress : isOfName)
  rest = rest[name.endIndex...]
  if isBracketed, rest.popFirst() != UInt8(ascii: "]") { return false }
  guard !name.isEmpty else { return false }
  if rest.isEmpty { return true }
  return rest.popFirst() == UInt8(ascii: ":") && 1...5 ~= rest.count && rest.allSatisfy(isDigit)
}

/// Whether a host, with a port or without, is an IP address: no name ends in digits.
private func isAddress(_ host: String) -> Bool {
  host.hasPrefix("[")
    || host.prefix { $0 != ":" }.allSatisfy { $0 == "." || ("0"..."9").contains($0) }
}

private func isDigit(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

private func isOfAddress(_ byte: UInt8) -> Bool {
  isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
}

private func isOfName(_ byte: UInt8) -> Bool {
  isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    || "._~-".utf8.contains(byte)
}

private func lowercased(_ byte: UInt8) -> UInt8 {
  byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
}
