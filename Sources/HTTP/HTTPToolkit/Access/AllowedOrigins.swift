import FusionHTTPMessages

/// The foreign origins whose pages may use the service (RFC 6454).
package struct AllowedOrigins: Sendable {
  private let origins: Set<String>

  /// - Parameter origins: the results of ``normalized(_:)``.
  package init(_ origins: [String] = []) {
    self.origins = Set(origins)
  }

  package var isEmpty: Bool { origins.isEmpty }

  func contain(_ origin: String) -> Bool {
    origins.contains(origin)
  }

  /// Returns the origin of the page that sent a request, if it is allowed.
  func allowed(in headers: HTTPHeaders) -> String? {
    guard !isEmpty, let origin = headers["Origin"], contain(origin) else { return nil }
    return origin
  }

  /// Returns an origin in the form that browsers send: lower case, without its scheme's default port; nil if
  /// the text is not an origin.
  package static func normalized(_ text: String) -> String? {
    let text = text.lowercased()
    guard let (scheme, authority) = split(text), let host = HostAndPort(String(authority)) else {
      return nil
    }
    return scheme.rawValue + host.description
  }

  /// Returns whether an origin's authority equals `Host` (Fetch, "append a request Origin header").
  ///
  /// Ignores the scheme: a proxy in front may use TLS without reporting it.
  static func isAuthority(of origin: String, _ host: String?) -> Bool {
    guard let host, let (scheme, authority) = split(origin) else { return false }
    return equalWithoutCase(String(authority), String(scheme.withoutPort(host[...])))
  }

  /// Also returns nil for `null`, the origin of pages without one.
  private static func split(_ origin: String) -> (scheme: Scheme, authority: Substring)? {
    for scheme in Scheme.allCases where origin.hasPrefix(scheme.rawValue) {
      return (scheme, scheme.withoutPort(origin.dropFirst(scheme.rawValue.count)))
    }
    return nil
  }

  private enum Scheme: String, CaseIterable {
    case http = "http://"
    case https = "https://"

    func withoutPort(_ authority: Substring) -> Substring {
      let port = self == .http ? ":80" : ":443"
      return authority.hasSuffix(port) ? authority.dropLast(port.count) : authority
    }
  }
}
