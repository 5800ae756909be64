import HTTPMessages
import MicrohttpdServer
import SQLiteSessions
import SessionAPI
import Sessions
public import UIFusionKit

/// A catalog of view models, hosted.
///
/// It listens from its creation on, and has to be stopped.
public final class Service: Sendable {
  private let configuration: Configuration
  private let log: Log
  private let host: SessionHost
  private let api: SessionAPI
  private let server: MicrohttpdServer
  private let upkeep: Task<Void, Never>
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
    let log = Log(format: configuration.logFormat, level: configuration.logLevel)
    let files = try Self.files(configuration, log)
    try self.init(catalog, configuration, dependencies, files: files, log: log)
  }

  init(
    _ catalog: ViewModelCatalog,
    _ configuration: Configuration,
    _ dependencies: Dependencies,
    files: FileIndex,
    log: Log
  ) throws {
    let metrics = ServiceMetrics()
    let store = try configuration.openStore(
      observe: { metrics.count($0) },
      report: {
        metrics.count($0)
        log.report($0)
      }
    )
    let inventory = try configuration.inventory(of: store)
    log.report(inventory, hosted: catalog)
    let host = SessionHost(
      catalog.viewModels,
      limits: configuration.sessionLimits,
      dependencies: dependencies,
      store: store,
      inventory: inventory,
      report: {
        metrics.count($0)
        log.report($0)
      }
    )
    var options = SessionAPI.Options()
    options.streams = configuration.maxStreams
    options.access = try configuration.access
    options.log = log.requests
    let api = SessionAPI(host, files: files, options: options, metrics: metrics.metrics)
    var settings = configuration.server(log)
    settings.tls = try configuration.tlsIdentity
    settings.rejecting = { api.answer(to: $0) }
    do {
      server = try MicrohttpdServer(settings) { api.handle($0, respond: $1) }
    } catch {
      store?.close()
      let isAboutTLS = error.reason == .identityNotValid
      throw ServiceError(
        description: isAboutTLS ? configuration.tlsComplaint : error.description
      )
    }
    metrics.show(host, server)
    if let store { metrics.show(store) }
    self.configuration = configuration
    self.log = log
    self.host = host
    self.api = api
    time = dependencies.time
    upkeep = Task.detached { [time] in
      await withTaskGroup { group in
        group.addTask { try? await host.keepExpiring() }
        group.addTask {
          guard let store else { return }
          while (try? await time.sleep(for: .seconds(1))) != nil {
            if let error = store.checkFiles() { host.storeFailed(error) }
          }
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
    logLimits()
  }

  /// The port that it listens on.
  public var port: Int { server.port }

  /// Where it can be reached.
  public var url: String {
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
    upkeep.cancel()
    host.closeAll()
    log.info("stopped")
  }

  private func logLimits() {
    let effective = server.effectiveConnectionLimit
    if effective < configuration.maxConnections {
      log.info(
        "fewer connections than --max-connections: the open-file limit (ulimit -n) allows no more",
        ("max-connections", "\(configuration.maxConnections)"),
        ("effective", "\(effective)")
      )
    }
    log.info(
      "started",
      ("url", url),
      ("data", configuration.data.description),
      ("sessions", "\(host.count)"),
      ("threads", "\(server.connectionsByThread.count)"),
      ("max-connections", "\(effective)"),
      ("max-streams", "\(configuration.maxStreams)"),
      ("max-sessions", "\(configuration.maxSessions)")
    )
  }

  private static func files(_ configuration: Configuration, _ log: Log) throws -> FileIndex {
    let folder = configuration.publicFolder
    do {
      // Who listens for this machine alone may be at work on the pages.
      let time = Dependencies().time
      let clock: @Sendable () -> Duration = { time.now }
      return try FileIndex(
        folder: folder,
        renewedBy: isLoopback(configuration.host) ? clock : nil
      )
    } catch  where folder == Configuration().publicFolder && !FileIndex.exists(folder) {
      // Nobody asked for it by name: a service without a front end is one, too.
      log.warning("there is no front end: name its folder with --public", ("folder", folder))
      return .empty
    } catch {
      throw ServiceError(
        description: "cannot read the front end's folder \(folder) (\(error)): "
          + "name another with --public"
      )
    }
  }
}

/// What keeps a service from starting, for a person.
public struct ServiceError: Error, CustomStringConvertible {
  /// What is in the way, and what to do about it.
  public let description: String
}

extension Configuration {
  fileprivate var sessionLimits: SessionHost.Limits {
    var limits = SessionHost.Limits()
    limits.sessions = maxSessions
    limits.queuedInputs = maxQueuedInputs
    limits.idleTime = sessionTTL
    return limits
  }

  fileprivate func server(_ log: Log) -> MicrohttpdServer.Configuration {
    var server = MicrohttpdServer.Configuration()
    server.host = host
    server.port = port
    server.threads = threads
    server.connectionLimit = maxConnections
    server.maxBodyBytes = maxBody
    server.responseHeaders = securityHeaders
    server.log = { log.debug("libmicrohttpd", ("text", withoutSessionIDs($0))) }
    return server
  }
}

extension Log {
  /// Sessions of view models that are not hosted stay stored: they may be, again.
  fileprivate func report(_ inventory: StoreInventory, hosted catalog: ViewModelCatalog) {
    let names = Set(catalog.viewModels.map(\.name))
    let unhosted = inventory.sessions.filter { !names.contains($0.viewModel) }
    for (name, sessions) in Dictionary(grouping: unhosted, by: \.viewModel).sorted(by: {
      $0.key < $1.key
    }) {
      warning(
        "stored sessions of a view model that is not hosted: they answer 410, and stay stored until they expire",
        ("viewModel", name),
        ("sessions", "\(sessions.count)")
      )
    }
  }

  fileprivate func report(_ event: SessionHost.Event) {
    switch event {
    case .created(let id, let viewModel):
      debug("session created", ("session", id.redacted), ("viewModel", viewModel))
    case .ended(let id, let end):
      debug("session ended", ("session", id.redacted), ("reason", end.rawValue))
    case .unwritable(let id, let error):
      self.error("state is no JSON", ("session", id.redacted), ("error", "\(error)"))
    case .restored(let id, let viewModel):
      debug("session restored", ("session", id.redacted), ("viewModel", viewModel))
    case .unreadable(let id, let viewModel, let error):
      self.error(
        "a stored session cannot be read, and stays as it is",
        ("session", id.redacted),
        ("viewModel", viewModel),
        ("error", "\(error)")
      )
    case .damaged(let id, let error):
      self.error(
        "a stored session is damaged, and stays as it is",
        ("session", id.redacted),
        ("error", error.text)
      )
    case .lost(let id, let error):
      warning(
        "the store did not take what a session did",
        ("session", id.redacted),
        ("error", "\(error)")
      )
    case .storeFailed(let error): warning("the store does not work", ("error", error.text))
    case .storeRecovered: info("the store works again")
    }
  }
}
