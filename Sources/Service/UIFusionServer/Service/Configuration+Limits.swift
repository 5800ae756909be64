import FusionHTTPToolkit
import FusionMicrohttpdServer
import FusionSessionAPI
import FusionSessions

extension MicrohttpdServer.Configuration {
  /// The same for a port where few ask, and little.
  ///
  /// Its connections are part of the descriptors that the other server leaves.
  func admin(port: Int) -> Self {
    var admin = self
    admin.port = port
    admin.socketPath = nil
    admin.inheritedSocket = nil
    admin.threads = 1
    admin.connectionLimit = 32
    return admin
  }
}

extension Configuration {
  /// What sessions may cost.
  var sessionLimits: SessionLimits {
    var limits = SessionLimits()
    limits.sessions = maxSessions
    limits.queuedInputs = maxQueuedInputs
    limits.batch = maxBatch
    limits.state = maxState
    limits.memory = maxMemory > 0 ? maxMemory : nil
    limits.idleTime = sessionTTL
    limits.sleepAfter = sleepAfter
    return limits
  }

  /// What one client may have.
  var clientLimits: ClientLimits {
    var limits = ClientLimits()
    limits.sessions = maxSessionsPerClient
    limits.streams = maxStreamsPerClient
    limits.inputsPerSecond = inputsPerSecond
    return limits
  }

  /// For how many seconds browsers keep to TLS; nil where they are not told.
  private var securityAge: Int? {
    // They keep whatever else answers on localhost to it, too: there it is for a minute alone.
    let age = answersLoopbackNamesAlone ? min(hsts, 60) : hsts
    return age > 0 ? age : nil
  }

  /// Where the server listens, and what its clients may cost.
  func server(_ log: Log) throws(ServiceError) -> MicrohttpdServer.Configuration {
    var server = MicrohttpdServer.Configuration()
    server.host = host
    server.port = port
    server.socketPath = socket
    server.inheritedSocket = inheritedSocket
    server.threads = threads
    server.connectionLimit = maxConnections
    if isShared { server.shareOfOpenFiles = OpenFileShares.ofClients }
    server.maxBodyBytes = maxBody
    server.tls = try tlsIdentity
    server.responseHeaders = headersOnEveryResponse(
      try policy,
      securityAge: server.tls == nil ? nil : securityAge
    )
    server.log = { log.debug("libmicrohttpd", ("text", withoutSessionIDs($0))) }
    return server
  }
}
