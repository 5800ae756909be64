import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessionAPI
import Glibc

extension Configuration {
  /// The hosts that are answered, the origins whose pages may use the service, and the trusted proxies.
  var access: AccessPolicy {
    get throws(ServiceError) {
      var access = AccessPolicy()
      access.origins = AllowedOrigins(
        try allowOrigins.map { text throws(ServiceError) in
          guard let origin = AllowedOrigins.normalized(text) else {
            throw ServiceError("\(text) is not an origin such as https://example.org")
          }
          return origin
        }
      )
      access.hosts = try allowedHosts(isLoopback: listensOnLoopback)
      access.proxies.headers = ForwardedHeaders(rawValue: forwardedHeader.rawValue) ?? .any
      for text in trustedProxies where !access.proxies.add(text) {
        throw ServiceError("\(text) is neither a network such as 10.0.0.0/8 nor unix")
      }
      return access
    }
  }

  /// The hosts that the admin port answers, which is on `host` even beside a Unix socket.
  var adminHosts: AllowedHosts {
    get throws(ServiceError) { try allowedHosts(isLoopback: isLoopback(host)) }
  }

  private func allowedHosts(isLoopback: Bool) throws(ServiceError) -> AllowedHosts {
    let names = try allowHosts.map { text throws(ServiceError) in
      guard let name = AllowedHosts.normalized(text) else {
        throw ServiceError("\(text) is not a host such as example.org")
      }
      return name
    }
    if !names.isEmpty { return AllowedHosts(names) }
    return isLoopback ? .loopback(and: AllowedHosts.normalized(host)) : .any
  }

  /// The header in which trusted proxies name who sends a request; nil where there is none.
  var identityHeader: String? {
    get throws(ServiceError) {
      guard let authHeader else { return nil }
      guard !trustedProxies.isEmpty else {
        throw ServiceError(
          "--auth-header is believed from a proxy alone: name it with --trusted-proxy"
        )
      }
      guard !mayBeRebound else {
        throw ServiceError(
          "--auth-header with a proxy on this machine needs --allow-host: "
            + "without it a page of another site may name anybody"
        )
      }
      return authHeader
    }
  }

  /// Whether a page whose DNS name is rebound to this machine passes for a proxy's client: the page, too, connects
  /// from here and may send any header.
  var mayBeRebound: Bool {
    answersLoopbackNamesAlone
      && trustedProxies.contains { IPNetwork($0)?.contains(IPAddress(v4: 0x7f00_0001)) == true }
  }

  /// The path under which clients find the service.
  var base: BasePath {
    get throws(ServiceError) {
      guard let base = BasePath(basePath) else {
        throw ServiceError("\(basePath) is not a path such as /app, or is one of the service's own")
      }
      return base
    }
  }

  /// Whether only the loopback names are answered.
  ///
  /// False for a Unix socket, which no browser reaches: there Host is what a proxy sends.
  var answersLoopbackNamesAlone: Bool { allowHosts.isEmpty && listensOnLoopback }

  /// Whether the service listens on a loopback address, which only this machine can reach.
  var listensOnLoopback: Bool { socket == nil && isLoopback(host) }
}

extension Configuration {
  /// The Content Security Policy with the configured additions.
  var policy: ContentSecurityPolicy {
    get throws(ServiceError) {
      var policy = ContentSecurityPolicy()
      for text in contentSecurityPolicy {
        guard let addition = ContentSecurityPolicy.Addition(text) else {
          throw ServiceError("\(text) is not a \(ContentSecurityPolicy.Addition.example)")
        }
        policy.add(addition)
      }
      return policy
    }
  }

  /// Reads an address such as `10.0.0.3:7946` or `[fd00::3]:7946`; returns nil for anything else.
  static func hostAndPort(_ text: String) -> (host: String, port: Int)? {
    guard let colon = text.lastIndex(of: ":"),
      let port = Int(text[text.index(after: colon)...]), 0...65_535 ~= port
    else { return nil }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      return nil
    }
    return host.isEmpty ? nil : (String(host), port)
  }
}

/// Whether an address is a loopback address, which only this machine can reach (RFC 6890).
func isLoopback(_ host: String) -> Bool {
  if host == "localhost" { return true }
  var v4 = in_addr()
  if inet_pton(AF_INET, host, &v4) == 1 { return UInt32(bigEndian: v4.s_addr) >> 24 == 127 }
  var v6 = in6_addr()
  guard inet_pton(AF_INET6, host, &v6) == 1 else { return false }
  let bytes = withUnsafeBytes(of: v6) { Array($0) }
  // ::1, and 127.0.0.0/8 mapped to IPv6 (RFC 4291 §2.5.5.2).
  let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xff, 0xff, 127]
  return bytes == Array(repeating: 0, count: 15) + [1] || bytes.starts(with: mapped)
}
