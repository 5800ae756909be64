package import HTTPMessages

/// Who may ask: the Hosts that are answered, and the origins whose pages are let in.
package struct Access: Sendable {
  package var hosts: AllowedHosts
  package var origins: AllowedOrigins

  package init(hosts: AllowedHosts = .any, origins: AllowedOrigins = AllowedOrigins()) {
    self.hosts = hosts
    self.origins = origins
  }

  /// Why a request is refused whatever it asks for; nil where it is not.
  func refusal(of request: HTTPRequest) -> Problem? {
    let host = request.headers["Host"]
    guard hosts.contain(host) else { return .misdirected }
    switch request.method {
    case .get, .head, .options: return nil
    default: break
    }
    // Only browsers send it, and always where a page of another origin is behind the request.
    guard let origin = request.headers["Origin"] else { return nil }
    if AllowedOrigins.isAuthority(of: origin, host) || origins.contain(origin) { return nil }
    return .foreignOrigin
  }

  /// Lets the pages of an allowed origin read an answer (Fetch §3.3, CORS).
  ///
  /// The headers are the request's.
  package func share(_ response: inout HTTPResponse, with headers: HTTPHeaders) {
    guard !origins.isEmpty else { return }
    // Without an Origin, too: a cache must not hand one's answer to the other.
    let vary = response.headers["Vary"]
    response.headers["Vary"] = vary.map { $0 + ", Origin" } ?? "Origin"
    guard let origin = headers["Origin"], origins.contain(origin) else { return }
    response.headers.append("Access-Control-Allow-Origin", origin)
    response.headers.append("Access-Control-Expose-Headers", Self.exposed)
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
  }

  /// What a preflight is told (Fetch §4.8): nil where it is none, or its origin is not allowed.
  func permission(for request: HTTPRequest, methods: [HTTPMethod]) -> HTTPHeaders? {
    guard let origin = request.headers["Origin"], origins.contain(origin),
      request.headers["Access-Control-Request-Method"] != nil
    else { return nil }
    return [
      "Access-Control-Allow-Methods": methods.map(\.rawValue).joined(separator: ", "),
      "Access-Control-Allow-Headers": Self.accepted,
      // Two hours, which is as long as any browser remembers.
      "Access-Control-Max-Age": "7200",
    ]
  }

  /// Request headers of this interface that Fetch does not let through by itself.
  private static let accepted =
    "Content-Type, Prefer, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID"

  /// Response headers that a page may read beside those that Fetch always shows.
  private static let exposed =
    "ETag, Location, Preference-Applied, Idempotency-Replayed, Retry-After"
}
