import MicrohttpdServer
import SessionAPI
import Sessions

extension Configuration {
  /// What sessions may cost.
  var sessionLimits: SessionHost.Limits {
    var limits = SessionHost.Limits()
    limits.sessions = maxSessions
    limits.queuedInputs = maxQueuedInputs
    limits.idleTime = sessionTTL
    return limits
  }

  /// Where the server listens, and what its clients may cost.
  func server(_ log: Log) throws(ServiceError) -> MicrohttpdServer.Configuration {
    var server = MicrohttpdServer.Configuration()
    server.host = host
    server.port = port
    server.threads = threads
    server.connectionLimit = maxConnections
    server.maxBodyBytes = maxBody
    server.responseHeaders = securityHeaders(try policy)
    server.tls = try tlsIdentity
    server.log = { log.debug("libmicrohttpd", ("text", withoutSessionIDs($0))) }
    return server
  }
}
