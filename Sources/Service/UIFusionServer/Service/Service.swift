import Dispatch
import FusionCluster
import FusionHTTPMessages
import FusionHTTPToolkit
import FusionMicrohttpdServer
import FusionSQLiteSessions
import FusionSessionAPI
import FusionSessions
import FusionStrictJSON
import Glibc
public import UIFusionKit

/// A running service that hosts a catalog of view models.
///
/// The service listens from its creation on, and has to be stopped.
public final class Service: Sendable {
  private let configuration: Configuration
  private let log: Log
  private let logOutput: LogOutput
  private let host: SessionHost
  private let api: SessionAPI
  private let listeners: Listeners
  /// This process as one of several nodes; nil if the store is not shared.
  private let cluster: ClusterNode?
  private let nodePort: NodePort?
  private let files: FileIndex
  private let authenticator: Authenticator
  private let runningRoutes: RunningRoutes
  private let lastWords: LastWords
  private let upkeep: Task<Void, Never>
  /// The program's jobs at the start; nil if there are none.
  private let start: (jobs: StartJobs, task: Task<Void, Never>)?
  private let memoryWatch: MemoryWatch?
  private let time: any TimeSource

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - catalog: the view models to host.
  ///   - configuration: the settings.
  ///   - dependencies: the dependencies of the view models; their interceptors observe all of them.
  ///   - routes: the program's own routes and middleware.
  /// - Throws: ``ServiceError``, which names the port, address, folder, view model or route that is
  ///   in the way.
  public convenience init(
    _ catalog: ViewModelCatalog,
    _ configuration: Configuration,
    dependencies: Dependencies = Dependencies(),
    routes: Routes = Routes()
  ) throws {
    let output = LogOutput(STDERR_FILENO, configuration.logFormat)
    do {
      try self.init(catalog, configuration, dependencies, routes, output)
    } catch {
      // The process may end over the error.
      output.flush()
      throw error
    }
  }

  private init(
    _ catalog: ViewModelCatalog,
    _ configuration: Configuration,
    _ dependencies: Dependencies,
    _ routes: Routes,
    _ output: LogOutput
  ) throws {
    let log = Log(format: output.format, level: configuration.logLevel) { output.write($0) }
    // First, as long as no other thread holds a lock that a child would find locked.
    Trial.separate(by: TrialProcess.start)
    // Needs few shapes: it would wait for all.
    try catalog.check()
    DispatchQueue.global().async(execute: log.searchShapes(of: catalog.types + routes.types))
    let files = try configuration.files(log)
    var options = try configuration.apiOptions(log)
    let authenticator = try Authenticator(configuration, routes, dependencies, log)
    let answerer = RouteAnswerer(
      changeLogin: authenticator.change,
      executor: dependencies.executor,
      log: log,
      running: authenticator.running
    )
    options.routes = try routes.served(beside: files, by: answerer)
    options.wrapper = routes.wrapper(by: answerer)
    options.inspector = configuration.inspector
    if !authenticator.isNone { options.authenticate = authenticator.authenticate }
    options.programReadsHeaders = authenticator.ask != nil
    options.allowsAnonymous = configuration.anonymous ?? authenticator.isNone
    let startJobs =
      catalog.startJobs.isEmpty
      ? nil
      : StartJobs(jobs: catalog.startJobs, gate: StartGate(), time: dependencies.time, log: log)
    options.startGate = startJobs?.gate
    let metrics = ServiceMetrics(configuration.data)
    let nodePort = try configuration.openNodePort(log)
    let nodeAddress = try configuration.nodeURL(of: nodePort)
    let store = try configuration.openStore(nodeAddress ?? "", metrics, log)
    var hasStarted = false
    let file = configuration.openLastWords(catalog, log)
    let lastWords = LastWords(catalog.viewModels, file: file?.descriptor ?? -1)
    // A start that fails leaves the folder free for the next process.
    defer {
      if !hasStarted {
        lastWords.close()
        store?.close()
      }
    }
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
      noteNumber: lastWords.number,
      build: { BuildIdentity.current },
      report: {
        metrics.count($0)
        log.report($0)
        if case .putToSleep(let count) = $0, count >= 64 { releaseFreeMemory() }
      },
      inputReport: log.inputs,
      isWatchable: configuration.isInspected
    )
    host.recordCrashes(by: lastWords, after: file?.words, log, output)
    let readiness = Readiness()
    let clusterMetrics = ClusterMetrics(metrics.metrics)
    let cluster = nodePort.map { port in
      let nodeLog = NodeLog(log, dependencies.time)
      return ClusterNode(
        host,
        port,
        readiness,
        heartbeat: configuration.heartbeat,
        metrics: clusterMetrics,
        report: nodeLog.report
      )
    }
    let api = SessionAPI(
      host,
      locator: cluster?.locator,
      files: files,
      readiness: readiness,
      options: options,
      metrics: metrics.metrics
    )
    listeners = try Listeners(configuration, api, date: dependencies.date, log)
    if let nodePort, let cluster {
      cluster.open(nodePort, api)
      dependencies.topics.connect(cluster.topicRelay)
    }
    api.connectSessions()
    metrics.show(host, listeners.server)
    metrics.show(configuration, connections: listeners.server.effectiveConnectionLimit)
    let folder = store as? SQLiteSessionStore
    if let folder { metrics.show(folder) }
    if let renewal = listeners.renewal { metrics.show(renewal) }
    hasStarted = true
    (self.configuration, self.log, logOutput) = (configuration, log, output)
    (self.host, self.api, self.files) = (host, api, files)
    runningRoutes = answerer.running
    self.lastWords = lastWords
    (self.cluster, self.nodePort, self.authenticator) = (cluster, nodePort, authenticator)
    time = dependencies.time
    memoryWatch = MemoryWatch(host.memory, log)
    memoryWatch?.start()
    let work = Upkeep(
      configuration: configuration,
      host: host,
      api: api,
      cluster: cluster,
      store: folder,
      renewal: listeners.renewal,
      authenticator: authenticator,
      time: dependencies.time
    )
    upkeep = Task.detached(executorPreference: dependencies.executor) { await work.run() }
    start = startJobs.map { jobs in
      let sessions = HostedSessions(api.answerStartJob, for: .program)
      let task = Task.detached(executorPreference: dependencies.executor) {
        await jobs.run(sessions)
        if !Task.isCancelled { readiness.becomeReady() }
      }
      return (jobs, task)
    }
    if start == nil { readiness.becomeReady() }
    let streams = api.fitStreams(intoConnections: listeners.server.effectiveConnectionLimit)
    log.reportLimits(configuration, listeners.server, streams: streams)
    log.reportStart(
      configuration,
      listeners,
      host,
      node: nodeAddress,
      streams: streams
    )
    listeners.renewal?.check()
  }

  /// The port that the service listens on; 0 for a Unix socket.
  public var port: Int { listeners.server.port }

  /// The port for health and metrics alone, if there is one.
  public var adminPort: Int? { listeners.admin?.port }

  /// The URL of the service; of a Unix socket its path, as `unix:/run/uifusion.sock`.
  public var url: String { listeners.url }

  /// The sessions, for the program's own work; a call waits until the jobs of ``ViewModelCatalog/atStart(_:)`` are
  /// done, or throws once the service stops.
  public var sessions: HostedSessions { HostedSessions(api.answerProgram, for: .program) }

  /// Stops gracefully.
  ///
  /// Announces the stop on `/readyz` for `drainDelay`, answers the requests in flight for at most `drain`, closes
  /// the streams without an `end`, and ends every session's work.
  public func stop() async {
    api.readiness.phase = .leaving
    start?.task.cancel()
    start?.jobs.gate.close()
    log.info("stopping", ("sessions", "\(host.directory.count)"), ("streams", "\(api.openStreams)"))
    try? await time.sleep(for: configuration.drainDelay)
    api.drain()
    await listeners.server.stop(within: configuration.drain)
    // No client waits for their answers any more.
    runningRoutes.cancelAll()
    if cluster != nil { host.dependencies.topics.connect(nil) }
    await nodePort?.stop()
    upkeep.cancel()
    host.closeAll()
    // Last, since it says until here that the service is not ready.
    await listeners.admin?.stop(within: .zero)
    lastWords.close()
    log.info("stopped")
    logOutput.flush()
  }

  /// Reloads the front end's folder, the certificate, the tokens and the keys of cookies.
  func reload() {
    do {
      try files.reread()
      log.info("front end reloaded", ("files", "\(files.count)"))
    } catch {
      log.error("cannot reload the front end: the old files stay in use", ("error", "\(error)"))
    }
    listeners.renewal?.reload()
    authenticator.reload()
  }
}
