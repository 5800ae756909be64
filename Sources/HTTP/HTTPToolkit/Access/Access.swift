/// The rules on who may ask: the hosts that are answered, the origins whose pages are let in, and the proxies that
/// are believed.
package struct Access: Sendable {
  package var hosts: AllowedHosts
  package var origins: AllowedOrigins
  package var proxies = TrustedProxies()

  package init(hosts: AllowedHosts = .any, origins: AllowedOrigins = AllowedOrigins()) {
    self.hosts = hosts
    self.origins = origins
  }

  /// The checks that every request passes; `hosts` takes the place of the hosts above, where it is given.
  package func checks(hosts other: AllowedHosts? = nil) -> [any RequestCheck] {
    let hosts = other ?? hosts
    return (hosts.areAll ? [] : [hosts]) + [OriginCheck(origins: origins)]
  }
}
