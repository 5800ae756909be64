/// Who may ask: the Hosts that are answered, and the origins whose pages are let in.
package struct Access: Sendable {
  package var hosts: AllowedHosts
  package var origins: AllowedOrigins

  package init(hosts: AllowedHosts = .any, origins: AllowedOrigins = AllowedOrigins()) {
    self.hosts = hosts
    self.origins = origins
  }
}
