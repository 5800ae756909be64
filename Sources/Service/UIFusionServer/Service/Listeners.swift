import FoundationEssentials
import FusionMicrohttpdServer
import FusionSessionAPI

/// The servers for clients: the service's own port and, if configured, the admin port.
struct Listeners {
  let server: MicrohttpdServer
  /// The port for health and metrics alone.
  let admin: MicrohttpdServer?
  /// The renewal of both servers' certificate; nil without TLS.
  let renewal: CertificateRenewal?
  private let configuration: Configuration

  /// Starts to listen.
  init(
    _ configuration: Configuration,
    _ api: SessionAPI,
    date: @escaping @Sendable () -> Date,
    _ log: Log
  ) throws(ServiceError) {
    self.configuration = configuration
    let adminAPI = api.admin(try configuration.adminHosts)
    var settings = try configuration.server(log)
    settings.rejecting = { api.answer(to: $0) }
    do throws(StartError) {
      var clients = settings
      clients.streamedBody = api.streamedBody
      server = try MicrohttpdServer(clients, handler: api.handle)
      if let port = configuration.adminPort {
        admin = try MicrohttpdServer(settings.admin(port: port), handler: adminAPI.handle)
      } else {
        admin = nil
      }
    } catch {
      throw configuration.serviceError(error)
    }
    guard let identity = settings.tls else {
      renewal = nil
      return
    }
    renewal = try CertificateRenewal(configuration, showing: identity, date: date, log) {
      [weak server, weak admin] (identity) throws(StartError) in
      // The admin port first: if it refuses the certificate, the clients' port has not changed.
      try admin?.renew(identity)
      try server?.renew(identity)
    }
  }

  /// The URL of the service; of a Unix socket its path, as `unix:/run/uifusion.sock`.
  var url: String { configuration.socket.map { "unix:" + $0 } ?? url(port: server.port) }

  /// The URL of a port on the service's address.
  func url(port: Int) -> String {
    let host = configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host
    return "http\(configuration.tlsKey == nil ? "" : "s")://\(host):\(port)"
  }
}
