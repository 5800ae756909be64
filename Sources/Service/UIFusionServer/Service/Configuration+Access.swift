import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessionAPI
import Glibc

extension Configuration {
  /// Who may ask.
  var access: Access {
    get throws(ServiceError) {
      var access = Access()
      access.origins = AllowedOrigins(
        try allowOrigins.map { text throws(ServiceError) in
          guard let origin = AllowedOrigins.normalized(text) else {
            throw ServiceError(description: "\(text) is no origin such as https://example.org")
          }
          return origin
        }
      )
      access.hosts = try allowedHosts(isLoopback: listensOnLoopback)
      access.proxies.headers = ForwardedHeaders(rawValue: forwardedHeader.rawValue) ?? .any
      for text in trustedProxies where !access.proxies.add(text) {
        throw ServiceError(description: "\(text) is no network such as 10.0.0.0/8, and not unix")
      }
      return access
    }
  }

  /// The hosts of a port on `host`, whatever the service listens on beside it.
  var adminHosts: AllowedHosts {
    get throws(ServiceError) { try allowedHosts(isLoopback: isLoopback(host)) }
  }

  private func allowedHosts(isLoopback: Bool) throws(ServiceError) -> AllowedHosts {
    let names = try allowHosts.map { text throws(ServiceError) in
      guard let name = AllowedHosts.normalized(text) else {
        throw ServiceError(description: "\(text) is no host such as example.org")
      }
      return name
    }
    if !names.isEmpty { return AllowedHosts(names) }
    return isLoopback ? .loopback(and: AllowedHosts.normalized(host)) : .any
  }

  /// Whether a page that an attacker's DNS points at this machine passes for a proxy's client: it, too,
  /// connects from here, and may send any header.
  var mayBeRebound: Bool {
    answersLoopbackNamesAlone
      && trustedProxies.contains { IPNetwork($0)?.contains(IPAddress(v4: 0x7f00_0001)) == true }
  }

  /// The path below which it is found.
  var base: BasePath {
    get throws(ServiceError) {
      guard let base = BasePath(basePath) else {
        throw ServiceError(
          description: "\(basePath) is no path such as /app, or one of the service's own"
        )
      }
      return base
    }
  }

  /// Whether only what a browser on this machine calls itself is answered.
  ///
  /// Not over a Unix socket, which no browser reaches: there Host is what a proxy says.
  var answersLoopbackNamesAlone: Bool { allowHosts.isEmpty && listensOnLoopback }

  /// Whether only this machine can reach the port, and no proxy has to stand before it.
  var listensOnLoopback: Bool { socket == nil && isLoopback(host) }
}

extension Configuration {
  /// What pages may load, and who may show them.
  var policy: ContentSecurityPolicy {
    get throws(ServiceError) {
      var policy = ContentSecurityPolicy()
      for text in contentSecurityPolicy {
        guard let addition = ContentSecurityPolicy.Addition(text) else {
          throw ServiceError(description: "\(text) is no \(ContentSecurityPolicy.Addition.example)")
        }
        policy.add(addition)
      }
      return policy
    }
  }
}

/// Whether only this machine can reach an address (RFC 6890).
func isLoopback(_ host: String) -> Bool {
  if host == "localhost" { return true }
  var v4 = in_addr()
  if inet_pton(AF_INET, host, &v4) == 1 { return UInt32(bigEndian: v4.s_addr) >> 24 == 127 }
  var v6 = in6_addr()
  guard inet_pton(AF_INET6, host, &v6) == 1 else { return false }
  let bytes = withUnsafeBytes(of: v6) { Array($0) }
  // ::1, and 127.0.0.0/8 in the form that IPv6 has for it.
  let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xff, 0xff, 127]
  return bytes == Array(repeating: 0, count: 15) + [1] || bytes.starts(with: mapped)
}
