/// The URL of a deployment: `https://example.org/app`.
package struct ServiceURL: Sendable, Equatable {
  /// `http` or `https`.
  let scheme: String
  /// The host in lower case; an IPv6 address is in brackets.
  let host: String
  /// The port; nil for the scheme's default.
  let port: Int?
  /// The prefix of each path of the service: empty, or `/app`.
  package let basePath: String

  package static let rule = "an http or https URL such as https://example.org/app"

  /// Reads a URL; fails for another scheme, a user, a query or a fragment (RFC 3986 §3).
  package init?(_ text: String) {
    guard
      let match = text.wholeMatch(
        of: /(https?):\/\/([A-Za-z0-9._\-]+|\[[0-9A-Fa-f:.]+\])(?::([0-9]{1,5}))?(\/.*)?/

      )
    else { return nil }
    scheme = String(match.output.1)
    host = match.output.2.lowercased()
    if let digits = match.output.3 {
      guard let number = Int(digits), (1...65_535).contains(number) else { return nil }
      port = number == (scheme == "https" ? 443 : 80) ? nil : number
    } else {
      port = nil
    }
    let path = match.output.4 ?? ""
    guard path.wholeMatch(of: /(?:[A-Za-z0-9\-._~!$&'()*+,;=:@\/]|%[0-9A-Fa-f]{2})*/) != nil else {
      return nil
    }
    basePath = String(path.reversed().drop { $0 == "/" }.reversed())
  }

  /// Whether the host is this machine, by a name or address that needs no DNS.
  var isLoopback: Bool {
    host == "localhost" || host == "[::1]"
      || host.wholeMatch(of: /127(\.[0-9]{1,3}){3}/) != nil
  }

  /// The origin as browsers send it (RFC 6454 §6.2).
  package var origin: String { "\(scheme)://\(authority)" }

  /// The value of a request's `Host`.
  var authority: String { port.map { "\(host):\($0)" } ?? host }

  package var text: String { origin + basePath }

  /// Returns the address of a path of the service.
  func address(_ path: String) -> String { text + path }

  /// Returns the path of a link within the service, without the base path; nil for a link to another place.
  ///
  /// The link is that of a `Location`, or of a page at the base path's root.
  func path(of link: String) -> String? {
    var path: Substring
    if link.contains("://") {
      guard link.lowercased().hasPrefix(origin + "/") else { return nil }
      path = link.dropFirst(origin.count)
    } else if link.hasPrefix("//") {
      return nil
    } else {
      path = link.hasPrefix("/") ? link[...] : (basePath + "/" + link)[...]
    }
    path = path.prefix { $0 != "?" && $0 != "#" }
    guard path.hasPrefix(basePath + "/") else { return nil }
    let whole = Self.withoutDots(path.dropFirst())
    guard whole.hasPrefix(basePath + "/") else { return nil }
    return String(whole.dropFirst(basePath.count))
  }

  /// Removes dot segments (RFC 3986 §5.2.4).
  private static func withoutDots(_ path: Substring) -> String {
    var segments: [Substring] = []
    for segment in path.split(separator: "/", omittingEmptySubsequences: false) {
      if segment == ".." {
        _ = segments.popLast()
      } else if segment != "." {
        segments.append(segment)
      }
    }
    return "/" + segments.joined(separator: "/")
  }
}
