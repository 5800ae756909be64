import FusionHTTPMessages

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
    let isDowngraded = request.arrival.isEncrypted && !origin.hasPrefix("https:")
    if !isDowngraded, AllowedOrigins.isAuthority(of: origin, request.headers["Host"]) { return }
    guard origins.contain(origin) else {
      throw .foreignOrigin.adding("host", request.headers["Host"] ?? "")
    }
  }
}
