import FusionHTTPMessages

/// The origins, beside the service's own, whose pages may use it (RFC 6454).
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

  /// Returns the origin of the page that sent a request, if it is one of these.
  func allowed(in headers: HTTPHeaders) -> String? {
    guard !isEmpty, let origin = headers["Origin"], contain(origin) else { return nil }
    return origin
  }

  /// Returns an origin as browsers send it: lower case, without its scheme's default port; nil where the text is none.
  package static func normalized(_ text: String) -> String? {
    let text = text.lowercased()
    guard let (scheme, authority) = split(text), let host = HostAndPort(String(authority)) else {
      return nil
    }
    return scheme.rawValue + host.description
  }

  /// Returns whether an origin's authority is that of `Host` (Fetch, "append a request Origin header").
  ///
  /// The scheme is not compared: a proxy in front may have spoken TLS without saying so.
  static func isAuthority(of origin: String, _ host: String?) -> Bool {
    guard let host, let (scheme, authority) = split(origin) else { return false }
    return equalWithoutCase(String(authority), String(scheme.withoutPort(host[...])))
  }

  /// Returns nil for `null`, too, the origin of pages that have none.
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
