import FusionHTTPMessages

/// What proxies have written into a request of the hops that it came by, the client's first.
struct ForwardedHops {
  /// From where each hop came; nil where that is hidden, or no address.
  let addresses: [IPAddress?]
  private let hops: [Hop]

  /// What the client of a hop asked for.
  struct Hop {
    var scheme: String?
    /// With its port, if that is not the scheme's own.
    var host: String?
  }

  /// `X-Forwarded-For` and its like, or else `Forwarded` (RFC 7239); nil where there is neither.
  ///
  /// Where both are there, somebody on the way passes on unseen what he does not know: nginx, haproxy and
  /// Apache all write the former.
  init?(_ headers: HTTPHeaders) {
    if let (addresses, hop) = xForwarded(headers) {
      self.addresses = addresses
      // They tell of one hop alone, the last one that was written down.
      hops = Array(repeating: hop, count: max(addresses.count, 1))
    } else if let elements = headers.list("Forwarded").flatMap(ForwardedElement.all) {
      addresses = elements.map(\.address)
      hops = elements.map { Hop(scheme: scheme($0["proto"]), host: host($0["host"])) }
    } else {
      return nil
    }
  }

  subscript(index: Int) -> Hop { hops[index] }

  var last: Hop { hops.last ?? Hop() }

  /// Whether a request has any of them, believed or not.
  static func areNamed(in headers: HTTPHeaders) -> Bool {
    ["X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "Forwarded"].contains {
      headers[$0] != nil
    }
  }
}

private func xForwarded(_ headers: HTTPHeaders) -> ([IPAddress?], ForwardedHops.Hop)? {
  let addresses = items(headers.list("X-Forwarded-For"))
  var hop = ForwardedHops.Hop()
  // A proxy that adds to a list, and does not set it, adds at its end.
  hop.scheme = scheme(items(headers.list("X-Forwarded-Proto")).last)
  hop.host = host(items(headers.list("X-Forwarded-Host")).last)
  // `$host` of nginx has no port, and X-Forwarded-Port tells it.
  if let name = hop.host, !name.contains(/:[0-9]+$/),
    let port = items(headers.list("X-Forwarded-Port")).last.flatMap(UInt16.init),
    port != (hop.scheme == "https" ? 443 : 80)
  {
    hop.host = "\(name):\(port)"
  }
  guard !addresses.isEmpty || hop.scheme != nil || hop.host != nil else { return nil }
  return (addresses.map(nodeAddress), hop)
}

private func items(_ list: String?) -> [String] {
  (list ?? "").split(separator: ",").map { $0.trimmingBlanks }.filter { !$0.isEmpty }
}

private func scheme(_ text: String?) -> String? {
  text.map { $0.lowercased() }.flatMap { ["http", "https"].contains($0) ? $0 : nil }
}

private func host(_ text: String?) -> String? {
  text.flatMap { isHostAndPort($0.lowercased()) ? $0 : nil }
}

/// An address, an IPv6 one in brackets too, with a port or without.
func nodeAddress(_ text: String) -> IPAddress? {
  if let match = text.wholeMatch(of: /\[([^\]]*)\](:[0-9]+)?/) { return IPAddress(String(match.1)) }
  if let match = text.wholeMatch(of: /([0-9.]+):[0-9]+/) { return IPAddress(String(match.1)) }
  return IPAddress(text)
}

extension Substring {
  fileprivate var trimmingBlanks: String {
    let blanks: Set<Character> = [" ", "\t"]
    let start = drop(while: blanks.contains)
    return String(start.reversed().drop(while: blanks.contains).reversed())
  }
}
