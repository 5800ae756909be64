import FusionHTTPMessages

/// The rules on who may ask: the hosts that are answered, the origins whose pages are let in, and the proxies that
/// are believed.
package struct Access: Sendable {
  package var hosts: AllowedHosts
  package var origins: AllowedOrigins
  package var proxies = TrustedProxies()

  package init(hosts: AllowedHosts = .any, origins: AllowedOrigins = AllowedOrigins()) {
    self.hosts = hosts
    self.origins = origins
  }

  /// The checks that every request passes; `hosts` takes the place of the hosts above, where it is given.
  package func checks(hosts other: AllowedHosts? = nil) -> [any RequestCheck] {
    let hosts = other ?? hosts
    return (hosts.areAll ? [] : [hosts]) + [OriginCheck(origins: origins)]
  }
}

/// Refuses a request that would change something on behalf of a page of a foreign origin.
struct OriginCheck: RequestCheck {
  let origins: AllowedOrigins

  func check(_ request: HTTPRequest) throws(Problem) {
    switch request.method {
    case .get, .head, .options: return
    default: break
    }
    // Only browsers send it, and always when a page of another origin makes the request.
    guard let origin = request.headers["Origin"] else { return }
    // A page that came without TLS is not of this origin, if the request came with TLS.
    let isDowngraded = request.connection.isEncrypted && !origin.hasPrefix("https:")
    if !isDowngraded, AllowedOrigins.isAuthority(of: origin, request.headers["Host"]) { return }
    guard origins.contain(origin) else {
      throw .foreignOrigin.adding("host", request.headers["Host"] ?? "")
    }
  }
}
