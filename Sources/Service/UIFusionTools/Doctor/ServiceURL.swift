/// Where a deployment is, as its users write it: `https://example.org/app`.
struct ServiceURL: Sendable, Equatable {
  /// `http` or `https`.
  let scheme: String
  /// In small letters; an IPv6 address is in brackets.
  let host: String
  /// Nil is the scheme's own.
  let port: Int?
  /// What stands before each path of the service: empty, or `/app`.
  let basePath: String

  static let rule = "an http or https URL such as https://example.org/app"

  /// Nil for what is no such URL, or has a user, a query or a fragment (RFC 3986 §3).
  init?(_ text: String) {
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

  /// Whether its host is this machine itself, by a name or address that no DNS server is asked for.
  var isLoopback: Bool {
    host == "localhost" || host == "[::1]"
      || host.wholeMatch(of: /127(\.[0-9]{1,3}){3}/) != nil
  }

  /// As browsers send it (RFC 6454 §6.2).
  var origin: String { "\(scheme)://\(authority)" }

  /// As a request's `Host` has it.
  var authority: String { port.map { "\(host):\($0)" } ?? host }

  var text: String { origin + basePath }

  /// The address of a path of the service.
  func address(_ path: String) -> String { text + path }

  /// The path of the service that a link leads to, without the base path; nil where it leads elsewhere.
  ///
  /// The link is as `Location` has it, or a page at the base path's root.
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

  /// RFC 3986 §5.2.4: at the root, two dots stay there.
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
