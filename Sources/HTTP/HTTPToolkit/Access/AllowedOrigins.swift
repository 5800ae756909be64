import FusionHTTPMessages

/// The origins, beside the service's own, whose pages may use it (RFC 6454).
package struct AllowedOrigins: Sendable {
  private let origins: Set<String>

  /// - Parameter origins: as ``normalized(_:)`` makes them.
  package init(_ origins: [String] = []) {
    self.origins = Set(origins)
  }

  var isEmpty: Bool { origins.isEmpty }

  func contain(_ origin: String) -> Bool {
    origins.contains(origin)
  }

  /// An origin as browsers send it: lower case, without its scheme's own port; nil where it is none.
  package static func normalized(_ text: String) -> String? {
    let text = text.lowercased()
    guard let (scheme, authority) = split(text), isHostAndPort(String(authority)) else {
      return nil
    }
    return scheme.prefix + authority
  }

  /// Whether an origin's authority is what Host says (Fetch, "append a request Origin header").
  ///
  /// The scheme is left out: a proxy in front may have spoken TLS, and not said so.
  static func isAuthority(of origin: String, _ host: String?) -> Bool {
    guard let host, let (scheme, authority) = split(origin) else { return false }
    return equalWithoutCase(String(authority), String(scheme.withoutPort(host[...])))
  }

  /// `null`, which stands for pages of no origin, is none, too.
  private static func split(_ origin: String) -> (scheme: Scheme, authority: Substring)? {
    for scheme in Scheme.all where origin.hasPrefix(scheme.prefix) {
      return (scheme, scheme.withoutPort(origin.dropFirst(scheme.prefix.count)))
    }
    return nil
  }

  private struct Scheme {
    let prefix: String
    let port: String

    static let all = [
      Scheme(prefix: "http://", port: ":80"), .init(prefix: "https://", port: ":443"),
    ]

    func withoutPort(_ authority: Substring) -> Substring {
      authority.hasSuffix(port) ? authority.dropLast(port.count) : authority
    }
  }
}
