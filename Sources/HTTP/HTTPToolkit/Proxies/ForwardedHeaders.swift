package import FusionHTTPMessages

/// The headers in which proxies describe a client.
package enum ForwardedHeaders: String, Sendable, CaseIterable {
  /// `X-Forwarded-For` and its like, or else `Forwarded`.
  ///
  /// nginx, haproxy and Apache write the former, and may pass on the latter as a client wrote it.
  case any
  case xForwarded = "x-forwarded"
  /// `Forwarded` (RFC 7239).
  case forwarded

  /// Returns the hops that a request's headers describe, believed or not; nil where there are none.
  func hops(of request: HTTPRequest) -> (any ForwardedHops)? {
    let headers = request.headers
    let isX = Self.xNames.contains { headers[$0] != nil }
    switch self {
    case .xForwarded where isX, .any where isX: return XForwardedHops(headers)
    case .forwarded, .any: return headers.list("Forwarded").map { ForwardedElements($0) }
    case .xForwarded: return nil
    }
  }

  private static let xNames = ["X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host"]

  /// Returns whether a request has any of these headers.
  package static func areNamed(in headers: HTTPHeaders) -> Bool {
    (xNames + ["Forwarded"]).contains { headers[$0] != nil }
  }
}

/// The hops of a request as its proxies describe them, the last one first.
protocol ForwardedHops {
  /// Returns the hop before; nil where there is none, or where it is malformed, so that nothing before it can be
  /// believed.
  mutating func next() -> ForwardedHop?
}

/// One proxy's description of the client that connected to it.
struct ForwardedHop {
  /// Nil where the address is hidden or missing.
  var client: IPAddress?
  var scheme: Scheme?
  /// The host, with its port unless that is the scheme's default.
  var host: String?

  enum Scheme: String {
    case http, https

    init?(_ text: some StringProtocol) {
      self.init(rawValue: text.lowercased())
    }
  }
}

/// Reads an address, IPv6 also in brackets, with or without a port (RFC 7239 §6).
func nodeAddress(_ text: Substring) -> IPAddress? {
  if text.first == "[" {
    guard let end = text.firstIndex(of: "]"), isPort(text[end...].dropFirst()) else { return nil }
    return IPAddress(String(text[..<end].dropFirst()))
  }
  guard let colon = text.lastIndex(of: ":"), text[..<colon].utf8.contains(UInt8(ascii: ".")),
    isPort(text[colon...])
  else { return IPAddress(String(text)) }
  return IPAddress(String(text[..<colon])) ?? IPAddress(String(text))
}

/// Returns whether a text is empty, or a colon and a number.
private func isPort(_ text: Substring) -> Bool {
  text.isEmpty
    || text.utf8.first == UInt8(ascii: ":") && text.utf8.count > 1
      && text.utf8.dropFirst().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
}

/// Returns a host that `Host` may have; nil where it may not.
func forwardedHost(_ text: Substring) -> String? {
  HostAndPort(String(text)) != nil && text.last != ":" ? String(text) : nil
}
