import FusionHTTPToolkit
import FusionMicrohttpdServer
import FusionSessionAPI
import FusionSessions

extension MicrohttpdServer.Configuration {
  /// Returns the configuration of the admin port: few connections, one thread.
  ///
  /// The admin server's connections use descriptors that the main server leaves.
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
  /// The options of the HTTP interface, except those of several nodes.
  func apiOptions(_ log: Log) throws(ServiceError) -> SessionAPI.Options {
    var options = SessionAPI.Options()
    options.streams = maxStreams
    options.access = try access
    options.clients = clientLimits
    options.basePath = try base
    options.heartbeat = heartbeat
    options.bodyLimit = maxBody
    options.isTiming = serverTiming
    options.log = log.requests(asAccessLog: accessLog)
    return options
  }

  /// The limits of sessions.
  var sessionLimits: SessionLimits {
    var limits = SessionLimits()
    limits.sessions = maxSessions
    limits.queuedInputs = maxQueuedInputs
    limits.batch = maxBatch
    limits.state = maxState
    limits.memory = maxMemory > 0 ? maxMemory : nil
    limits.dropsMembers = dropMembers
    limits.idleTime = sessionTTL
    limits.sleepAfter = sleepAfter
    limits.slowTurn = slowTurn > .zero ? slowTurn : nil
    limits.setAsideWithin = setAsideWithin
    limits.keepsVersions = keptDays > 0
    return limits
  }

  /// The limits of one client.
  private var clientLimits: ClientLimits {
    var limits = ClientLimits()
    limits.sessions = maxSessionsPerClient
    limits.streams = maxStreamsPerClient
    limits.inputsPerSecond = inputsPerSecond
    return limits
  }

  /// The seconds of the header `Strict-Transport-Security`; nil sends none.
  private var securityAge: Int? {
    // On localhost browsers would apply it to every other service there, so it lasts a minute.
    let age = answersLoopbackNamesAlone ? min(hsts, 60) : hsts
    return age > 0 ? age : nil
  }

  /// Makes the configuration of the main server.
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
