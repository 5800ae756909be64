import FusionHTTPMessages

/// Refuses what would change something on behalf of a page of a foreign origin.
struct OriginCheck: RequestCheck {
  let origins: AllowedOrigins

  func check(_ request: HTTPRequest) throws(Problem) {
    switch request.method {
    case .get, .head, .options: return
    default: break
    }
    // Only browsers send it, and always where a page of another origin is behind the request.
    guard let origin = request.headers["Origin"] else { return }
    // What is surely asked over TLS is not asked by a page that came without it.
    let isDowngraded = request.connection.isEncrypted && !origin.hasPrefix("https:")
    if !isDowngraded, AllowedOrigins.isAuthority(of: origin, request.headers["Host"]) { return }
    guard origins.contain(origin) else { throw .foreignOrigin(host: request.headers["Host"]) }
  }
}
