/// Who may ask: the Hosts that are answered, the origins whose pages are let in, and
/// the proxies that are believed.
package struct Access: Sendable {
  package var hosts: AllowedHosts
  package var origins: AllowedOrigins
  package var proxies = TrustedProxies()

  package init(hosts: AllowedHosts = .any, origins: AllowedOrigins = AllowedOrigins()) {
    self.hosts = hosts
    self.origins = origins
  }
}
