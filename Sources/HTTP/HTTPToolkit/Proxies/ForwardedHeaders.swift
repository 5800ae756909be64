import FusionHTTPMessages

/// In which headers proxies say what they know of a client.
package enum ForwardedHeaders: String, Sendable, CaseIterable {
  /// `X-Forwarded-For` and its like, or else `Forwarded`.
  ///
  /// nginx, haproxy and Apache write the former, and may pass on what a client has written into the latter.
  case any
  case xForwarded = "x-forwarded"
  /// `Forwarded` (RFC 7239).
  case forwarded

  /// What a request has of them, believed or not; nil where it has none.
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

  /// Whether a request has any of any kind.
  static func areNamed(in headers: HTTPHeaders) -> Bool {
    (xNames + ["Forwarded"]).contains { headers[$0] != nil }
  }
}

/// The hops by which a request came, as proxies have written them down, the last one first.
protocol ForwardedHops {
  /// Nil where there are no more, or the next one makes no sense: nothing before it can be believed.
  mutating func next() -> ForwardedHop?
}

/// What one proxy says of who has connected to it.
struct ForwardedHop {
  /// Nil where it is hidden, or none is told.
  var client: IPAddress?
  var scheme: Scheme?
  /// With its port, if that is not the scheme's own.
  var host: String?

  enum Scheme: String {
    case http, https

    init?(_ text: some StringProtocol) {
      self.init(rawValue: text.lowercased())
    }
  }
}

/// An address, an IPv6 one in brackets too, with a port or without (RFC 7239 §6).
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

/// Whether a text is nothing, or a colon and a number.
private func isPort(_ text: Substring) -> Bool {
  text.isEmpty
    || text.utf8.first == UInt8(ascii: ":") && text.utf8.count > 1
      && text.utf8.dropFirst().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
}

/// A host that may stand in `Host`; nil where it cannot.
func forwardedHost(_ text: Substring) -> String? {
  isHostAndPort(text.lowercased()) ? String(text) : nil
}
