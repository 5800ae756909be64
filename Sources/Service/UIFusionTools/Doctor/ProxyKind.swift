/// The program in front of the service, as far as it says so.
enum ProxyKind: Sendable, CaseIterable {
  case nginx, apache
  /// One that is silent about itself, as haproxy is, or none at all.
  case unknown

  /// - Parameter server: the header `Server` of an answer (RFC 9110 §10.2.4).
  init(server: String?) {
    let name = server?.lowercased() ?? ""
    self =
      name.hasPrefix("nginx") || name.hasPrefix("openresty")
      ? .nginx : name.hasPrefix("apache") ? .apache : .unknown
  }
}
