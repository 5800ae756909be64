import FusionHTTPMessages
import FusionHTTPToolkit
import FusionMicrohttpdServer
import FusionSQLiteSessions
import FusionSessionAPI
import FusionSessions
import Glibc
public import UIFusionKit

/// A catalog of view models, hosted.
///
/// It listens from its creation on, and has to be stopped.
public final class Service: Sendable {
  private let configuration: Configuration
  private let log: Log
  private let logOutput: LogOutput
  private let host: SessionHost
  private let api: SessionAPI
  private let server: MicrohttpdServer
  /// Where health and metrics have a port of their own.
  private let admin: MicrohttpdServer?
  /// Where other nodes share the store.
  private let nodes: NodePort?
  private let files: FileIndex
  /// Where TLS is spoken.
  private let renewal: CertificateRenewal?
  private let upkeep: Task<Void, Never>
  private let memoryWatch: MemoryWatch?
  private let time: any TimeSource

  /// Starts to listen.
  ///
  /// - Throws: ``ServiceError``, which names the port, address or folder that is in the way.
  ///
  /// The dependencies are what the view models are given; their interceptors look on at all of them.
  public convenience init(
    _ catalog: ViewModelCatalog,
    _ configuration: Configuration,
    dependencies: Dependencies = Dependencies()
  ) throws {
    let output = LogOutput(STDERR_FILENO, configuration.logFormat)
    do {
      try self.init(catalog, configuration, dependencies, output)
    } catch {
      // The process may end over it.
      output.flush()
      throw error
    }
  }

  private init(
    _ catalog: ViewModelCatalog,
    _ configuration: Configuration,
    _ dependencies: Dependencies,
    _ output: LogOutput
  ) throws {
    let log = Log(format: output.format, level: configuration.logLevel) { output.write($0) }
    let files = try configuration.files(log)
    let metrics = ServiceMetrics(configuration.data)
    let nodes = try NodePort(configuration, dependencies, log)
    let store = try configuration.openStore(
      nodes?.address ?? "",
      observe: { metrics.count($0) },
      report: {
        metrics.count($0)
        log.report($0)
      },
      reportServer: { log.report($0) }
    )
    var hasStarted = false
    // Whatever is in the way: the folder is free for the next one.
    defer { if !hasStarted { store?.close() } }
    let inventory = try configuration.inventory(of: store)
    log.report(inventory, hosted: catalog)
    let shared = store as? any SharedSessionStore
    let host = SessionHost(
      catalog.viewModels,
      limits: configuration.sessionLimits,
      dependencies: dependencies,
      store: store,
      ownership: shared.map { Lease($0, dependencies) } ?? SoleOwnership(),
      inventory: inventory,
      report: {
        metrics.count($0)
        log.report($0)
        if case .putToSleep(let count) = $0, count >= 64 { releaseFreeMemory() }
      },
      inputReport: log.inputs
    )
    var options = SessionAPI.Options()
    options.streams = configuration.maxStreams
    options.access = try configuration.access
    options.clients = configuration.clientLimits
    options.basePath = try configuration.base
    options.heartbeat = configuration.heartbeat
    options.isTiming = configuration.serverTiming
    options.log = log.requests(asAccessLog: configuration.accessLog)
    options.forwarding = nodes?.forwarding(host)
    let topicMetrics = TopicMetrics(metrics.metrics)
    options.topics = nodes?.topics(host, topicMetrics)
    let api = SessionAPI(host, files: files, options: options, metrics: metrics.metrics)
    let adminAPI = api.admin(try configuration.adminHosts)
    var settings = try configuration.server(log)
    settings.rejecting = { api.answer(to: $0) }
    do {
      server = try MicrohttpdServer(settings, handler: api.handle)
      admin = try configuration.adminPort.map { port throws(StartError) in
        try MicrohttpdServer(settings.admin(port: port), handler: adminAPI.handle)
      }
    } catch {
      throw configuration.serviceError(error)
    }
    nodes?.serve(api.forNodes(), host)
    if let topics = options.topics { dependencies.topics.connect(topics) }
    self.nodes = nodes
    metrics.show(host, server)
    metrics.show(configuration, connections: server.effectiveConnectionLimit)
    if let store = store as? SQLiteSessionStore { metrics.show(store) }
    renewal = try settings.tls.map { [server, admin] identity in
      try CertificateRenewal(configuration, showing: identity, date: dependencies.date, log) {
        [weak server, weak admin] (identity) throws(StartError) in
        // In this order: where one cannot, the port of the clients has not changed.
        try admin?.renew(identity)
        try server?.renew(identity)
      }
    }
    hasStarted = true
    if let renewal { metrics.show(renewal) }
    self.configuration = configuration
    self.log = log
    logOutput = output
    self.host = host
    self.api = api
    self.files = files
    time = dependencies.time
    let group = MemoryLimit.own
    memoryWatch = host.memory.limit.map { limit in
      let used = { @Sendable in group.used(read: MemoryLimit.text(ofFile:)) ?? residentMemory() }
      return MemoryWatch(host.memory, limit: limit, used: used, log)
    }
    memoryWatch?.start()
    upkeep = Task.detached { [time, renewal] in
      await withTaskGroup { group in
        group.addTask { try? await host.keepLease() }
        group.addTask { try? await host.keepExpiring() }
        group.addTask { try? await host.keepPuttingToSleep() }
        group.addTask {
          try? await host.keepRelievingMemory { releaseFreeMemory() }
        }
        group.addTask { await host.checkStored() }
        group.addTask {
          guard let renewal else { return }
          while (try? await time.sleep(for: .seconds(60))) != nil { renewal.look() }
        }
        if configuration.wakeInterrupted {
          group.addTask { try? await host.keepTakingOver() }
        }
        group.addTask {
          guard let store = store as? SQLiteSessionStore else { return }
          while (try? await time.sleep(for: .seconds(1))) != nil {
            if let error = store.checkFiles() { host.storeFailed(error) }
          }
        }
        group.addTask {
          while (try? await time.sleep(for: .seconds(1))) != nil { api.watchNodes() }
        }
        group.addTask {
          let pause = max(
            configuration.heartbeat / SessionAPI.ticksPerHeartbeat,
            .milliseconds(1)
          )
          while (try? await time.sleep(for: pause)) != nil { api.tick() }
        }
      }
    }
    api.readiness.phase = .ready
    logLimits(streams: api.fitStreams(intoConnections: server.effectiveConnectionLimit))
    renewal?.look()
  }

  /// The port that it listens on; 0 where that is a Unix socket.
  public var port: Int { server.port }

  /// The port for health and metrics alone, where there is one.
  public var adminPort: Int? { admin?.port }

  /// Where it can be reached; of a Unix socket its path, as `unix:/run/uifusion.sock`.
  public var url: String { configuration.socket.map { "unix:" + $0 } ?? url(port: port) }

  private func url(port: Int) -> String {
    let host = configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host
    return "http\(configuration.tlsKey == nil ? "" : "s")://\(host):\(port)"
  }

  /// Stops gracefully: says so on `/readyz`, waits `drainDelay`, answers what is being asked for
  /// `drain` at the most, closes the streams without an `end`, and ends every session's work.
  public func stop() async {
    api.readiness.phase = .leaving
    log.info("stopping", ("sessions", "\(host.count)"), ("streams", "\(api.openStreams)"))
    try? await time.sleep(for: configuration.drainDelay)
    api.drain()
    await server.stop(within: configuration.drain)
    if nodes != nil { host.dependencies.topics.connect(nil) }
    await nodes?.stop()
    upkeep.cancel()
    host.closeAll()
    // Until here it says that the service is not ready.
    await admin?.stop(within: .zero)
    log.info("stopped")
    logOutput.flush()
  }

  /// Reads again what a running service can: the front end's folder, and its certificate.
  func reread() {
    do {
      try files.reread()
      log.info("the front end was read again", ("files", "\(files.count)"))
    } catch {
      log.error("the front end cannot be read, and stays as it was", ("error", "\(error)"))
    }
    renewal?.reread()
  }

  private func logLimits(streams: Int) {
    if configuration.mayBeRebound {
      log.warning(
        "a trusted proxy is on this machine: a page that an attacker's DNS points here passes for its client"
          + " unless --allow-host names the hosts"
      )
    }
    let effective = server.effectiveConnectionLimit
    if effective < configuration.maxConnections {
      log.info(
        "fewer connections than --max-connections: the open-file limit (ulimit -n) allows no more",
        ("max-connections", "\(configuration.maxConnections)"),
        ("effective", "\(effective)")
      )
    }
    if configuration.tlsKey == nil, !server.takesOverStreams {
      log.warning(
        "this version of libmicrohttpd was not tested with our stream writer: the library writes, and each stream costs more",
        ("version", LibraryVersion.current),
        ("tested", LibraryVersion.tested)
      )
    }
    if streams < configuration.maxStreams {
      log.info(
        "fewer streams than --max-streams: some connections are left to requests",
        ("max-streams", "\(configuration.maxStreams)"),
        ("effective", "\(streams)")
      )
    }
    log.info(
      "started",
      ("url", url),
      ("admin", adminPort.map(url(port:)) ?? "none"),
      ("node", nodes.flatMap { $0.address.isEmpty ? nil : $0.address } ?? "none"),
      ("data", configuration.data.description),
      ("sessions", "\(host.count)"),
      ("threads", "\(server.connectionsByThread.count)"),
      ("memory-limit", MemoryLimit.own.bytes.map { "\($0)" } ?? "none"),
      ("max-memory", host.memory.limit.map { "\($0)" } ?? "none"),
      ("max-connections", "\(effective)"),
      ("max-streams", "\(streams)"),
      ("max-sessions", "\(configuration.maxSessions)")
    )
  }
}

/// What keeps a service from starting, for a person.
public struct ServiceError: Error, CustomStringConvertible {
  /// What is in the way, and what to do about it.
  public let description: String
}
