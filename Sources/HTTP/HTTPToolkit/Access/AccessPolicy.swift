import FusionHTTPMessages

/// The rules for access: the hosts that the service answers to, the origins whose pages may use it, and the
/// trusted proxies.
package struct AccessPolicy: Sendable {
  package var hosts: AllowedHosts
  package var origins: AllowedOrigins
  package var proxies = TrustedProxies()

  package init(hosts: AllowedHosts = .any, origins: AllowedOrigins = AllowedOrigins()) {
    self.hosts = hosts
    self.origins = origins
  }

  /// The checks that every request must pass; `hosts`, if given, replaces the allowed hosts.
  package func checks(hosts other: AllowedHosts? = nil) -> [any RequestCheck] {
    let hosts = other ?? hosts
    return (hosts.areAll ? [] : [hosts]) + [OriginCheck(origins: origins)]
  }
}

/// Refuses a request that would change something on behalf of a foreign origin's page.
struct OriginCheck: RequestCheck {
  let origins: AllowedOrigins

  func check(_ request: HTTPRequest) throws(Problem) {
    switch request.method {
    case .get, .head, .options: return
    default: break
    }
    // Only browsers send it, and always if a page of another origin makes the request.
    guard let origin = request.headers["Origin"] else { return }
    // A page whose referrer policy is no-referrer hides its origin (Fetch, "append a request Origin header"). No script
    // can set the other field (Fetch Metadata, section 2.3).
    if origin == "null", request.headers["Sec-Fetch-Site"] == "same-origin" { return }
    // If the request used TLS, a page that was loaded without TLS has another origin.
    let isDowngraded = request.connection.isEncrypted && !origin.hasPrefix("https:")
    if !isDowngraded, AllowedOrigins.isAuthority(of: origin, request.headers["Host"]) { return }
    guard origins.contain(origin) else {
      throw .foreignOrigin.adding("host", request.headers["Host"] ?? "").adding("origin", origin)
    }
  }
}
