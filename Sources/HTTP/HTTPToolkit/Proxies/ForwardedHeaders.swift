package import FusionHTTPMessages

/// The headers in which proxies describe a client.
package enum ForwardedHeaders: String, Sendable, CaseIterable {
  /// `X-Forwarded-For` and its relatives, or else `Forwarded`.
  ///
  /// nginx, haproxy and Apache write the former, and may forward the latter as a client wrote it.
  case any
  case xForwarded = "x-forwarded"
  /// `Forwarded` (RFC 7239).
  case forwarded

  /// Returns the hops that a request's headers describe, trusted or not; nil without such headers.
  func hops(of request: HTTPRequest) -> (any ForwardedHops)? {
    let headers = request.headers
    let isX = Self.xNames.contains { headers[$0] != nil }
    switch self {
    case .xForwarded where isX, .any where isX: return XForwardedHops(headers)
    case .forwarded, .any: return headers.list("Forwarded").map { ForwardedElements($0) }
    case .xForwarded: return nil
    }
  }

  private static let xNames = ["X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host"]

  /// Returns whether a request has any of these headers.
  package static func areNamed(in headers: HTTPHeaders) -> Bool {
    (xNames + ["Forwarded"]).contains { headers[$0] != nil }
  }
}

/// The hops of a request as described by its proxies, the last one first.
protocol ForwardedHops {
  /// Returns the preceding hop; nil if there is none or it is malformed, since earlier hops cannot be trusted
  /// then.
  mutating func next() -> ForwardedHop?
}

/// A proxy's description of the client that connected to it.
struct ForwardedHop {
  /// The client's address; nil if it is hidden or missing.
  var client: IPAddress?
  var scheme: Scheme?
  /// The host, with its port unless it is the scheme's default.
  var host: String?

  enum Scheme: String {
    case http, https

    init?(_ text: some StringProtocol) {
      self.init(rawValue: text.lowercased())
    }
  }
}

/// Parses an address, with or without a port; IPv6 may be in brackets (RFC 7239 §6).
func nodeAddress(_ text: some StringProtocol) -> IPAddress? {
  IPAddress(String(text)) ?? HostAndPort(String(text))?.address
}

/// Returns a host if it is a valid `Host`; otherwise nil.
func forwardedHost(_ text: Substring) -> String? {
  HostAndPort(String(text)) != nil && text.last != ":" ? String(text) : nil
}

/// The hops of `X-Forwarded-For`, which names each hop's client, and of `-Proto`, `-Host` and `-Port`, which
/// describe a single hop.
struct XForwardedHops: ForwardedHops {
  private var clients: ListElements
  private let scheme: ForwardedHop.Scheme?
  private let host: String?
  private var isFirst = true

  init(_ headers: HTTPHeaders) {
    clients = ListElements(headers.list("X-Forwarded-For") ?? "")
    // A proxy appends to a list.
    func last(_ name: String) -> Substring? {
      headers.list(name).flatMap { list in
        var items = ListElements(list)
        return items.popLast()
      }
    }
    scheme = last("X-Forwarded-Proto").flatMap { ForwardedHop.Scheme($0) }
    var host = last("X-Forwarded-Host").flatMap(forwardedHost)
    // nginx's `$host` has no port; X-Forwarded-Port has it.
    if let name = host, HostAndPort(name)?.port == nil,
      let port = last("X-Forwarded-Port").flatMap(portNumber),
      port != (scheme == .https ? 443 : 80)
    {
      host = "\(name):\(port)"
    }
    self.host = host
  }

  mutating func next() -> ForwardedHop? {
    let client = clients.popLast()
    // Without a client, the last hop may still have a scheme or a host.
    guard client != nil || isFirst else { return nil }
    isFirst = false
    return ForwardedHop(client: client.flatMap(nodeAddress), scheme: scheme, host: host)
  }
}

private func portNumber(_ text: Substring) -> UInt16? {
  UInt16(text).flatMap { $0 > 0 && text.first != "+" ? $0 : nil }
}

/// The elements of a `Forwarded` header: `for=192.0.2.60;proto=https;host=example.org` (RFC 7239 §4).
struct ForwardedElements: ForwardedHops {
  private var elements: ListElements

  init(_ header: String) {
    elements = ListElements(header)
  }

  mutating func next() -> ForwardedHop? {
    guard let element = elements.popLast(), let values = parameters(of: element) else { return nil }
    return ForwardedHop(
      client: values["for"].flatMap(nodeAddress),
      scheme: values["proto"].flatMap { ForwardedHop.Scheme($0) },
      host: values["host"].flatMap { forwardedHost($0[...]) }
    )
  }
}

/// Returns an element's parameters by their names in lower case; nil if it is malformed, or repeats a name.
private func parameters(of element: Substring) -> [String: String]? {
  var scan = FieldScanner(element)
  var values: [String: String] = [:]
  repeat {
    scan.skipBlanks()
    let name = scan.token().lowercased()
    // A pair may be empty.
    guard !name.isEmpty else { continue }
    guard scan.scan("=") else { return nil }
    let token = scan.token()
    guard let value = token.isEmpty ? scan.quotedString() : token,
      values.updateValue(value, forKey: name) == nil
    else { return nil }
    scan.skipBlanks()
  } while scan.scan(";")
  return scan.isAtEnd ? values : nil
}
