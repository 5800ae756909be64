import FusionHTTPMessages

/// The values of Host for which the service answers.
///
/// A name that an attacker's DNS points at this machine makes a browser believe that a foreign page
/// and this service are one site (DNS rebinding); the browser still says that name in Host.
package struct AllowedHosts: RequestCheck {
  /// In lower case; nil where every name is allowed.
  private let names: [String]?
  /// Whether they are not for requests that a trusted proxy passes on.
  private var areForDirectClients = false

  package static let any = AllowedHosts(names: nil)

  /// What a browser on this machine calls it, which no DNS server can change; and one more name.
  package static func loopback(and name: String?) -> AllowedHosts {
    let names = ["127.0.0.1", "localhost", "[::1]"]
    var hosts = AllowedHosts(names + (name.map { [$0] } ?? []).filter { !names.contains($0) })
    // Who is behind a proxy knows the proxy's names.
    hosts.areForDirectClients = true
    return hosts
  }

  private init(names: [String]?) {
    self.names = names
  }

  /// - Parameter names: as ``normalized(_:)`` makes them.
  package init(_ names: [String]) {
    self.names = names
  }

  /// A host as it is compared: lower case, an IPv6 address in brackets; nil where it is none.
  ///
  /// Without a port it stands for all of them.
  package static func normalized(_ text: String) -> String? {
    let text = text.lowercased()
    let isBareAddress = text.utf8.count { $0 == UInt8(ascii: ":") } > 1 && !text.hasPrefix("[")
    let name = isBareAddress ? "[\(text)]" : text
    return isHostAndPort(name) ? name : nil
  }

  var areAll: Bool { names == nil }

  func check(_ request: HTTPRequest) throws(Problem) {
    let isMetrics = request.target.segments == ["metrics"]
    if areForDirectClients, request.connection.isForwarded, !isMetrics { return }
    let host = request.headers["Host"]
    guard contain(host) || isProbe(request, host) else { throw .misdirected }
  }

  /// Whether a kubelet or a Prometheus may ask, which know addresses and no names.
  ///
  /// Health is told to any client; metrics are not told to a page whose name an attacker's DNS has
  /// pointed here.
  private func isProbe(_ request: HTTPRequest, _ host: String?) -> Bool {
    switch request.target.segments {
    case ["healthz"], ["readyz"]: true
    // Whoever asks by way of a proxy may say any host.
    case ["metrics"]: !request.connection.isForwarded && host.map(isAddress) ?? true
    default: false
    }
  }

  /// Whether Host says one of the names; one with a port only with that port.
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
