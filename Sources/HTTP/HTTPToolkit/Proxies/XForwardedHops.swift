import FusionHTTPMessages

/// The hops of `X-Forwarded-For`, which names each hop's client, and of `-Proto`, `-Host` and `-Port`, which describe
/// one hop alone.
struct XForwardedHops: ForwardedHops {
  private var clients: ListElements
  private let scheme: ForwardedHop.Scheme?
  private let host: String?
  private var isFirst = true

  init(_ headers: HTTPHeaders) {
    clients = ListElements(headers.list("X-Forwarded-For") ?? "")
    // A proxy that adds to a list adds at its end.
    func last(_ name: String) -> Substring? {
      headers.list(name).flatMap { list in
        var items = ListElements(list)
        return items.popLast()
      }
    }
    scheme = last("X-Forwarded-Proto").flatMap { ForwardedHop.Scheme($0) }
    var host = last("X-Forwarded-Host").flatMap(forwardedHost)
    // `$host` of nginx has no port, and X-Forwarded-Port tells it.
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
    // Without a client there may be a scheme or a host of the last hop.
    guard client != nil || isFirst else { return nil }
    isFirst = false
    return ForwardedHop(client: client.flatMap(nodeAddress), scheme: scheme, host: host)
  }
}

private func portNumber(_ text: Substring) -> UInt16? {
  UInt16(text).flatMap { $0 > 0 && text.first != "+" ? $0 : nil }
}
