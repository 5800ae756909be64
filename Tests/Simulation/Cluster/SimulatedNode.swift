import FoundationEssentials
import FusionCluster
import FusionHTTPMessages
import FusionHTTPToolkit
import FusionMetrics
import FusionSessionAPI
import FusionSessions
import FusionStoreDoubles
import UIFusionKit

/// One of several processes, which may die, or stop for longer than its lease.
final class SimulatedNode: @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  let name: String
  let host: SessionHost
  let api: SessionAPI
  private let cluster: ClusterNode
  /// The handler of requests from other nodes.
  let answerNode: HTTPHandler
  let store: NodeStore
  private let executor: SimulatedExecutor
  private let time: SimulatedTime
  private let probes: Probes
  private let scheduler: Scheduler
  private var upkeep: [Task<Void, Never>] = []
  private(set) var isDead = false
  private var isPaused = false
  /// The messages that have arrived while the process is paused.
  private var backlog: [() -> Void] = []
  private var watchers: [() -> Void] = []
  /// Whether the process was told to end.
  private(set) var isEnding = false
  /// Whether the process refuses new requests.
  private(set) var isRefusing = false
  /// The number of unanswered requests.
  var open = 0

  init(_ world: ClusterWorld, name: String) {
    self.name = name
    let scheduler = world.scheduler
    self.scheduler = scheduler
    let speed = 950 + scheduler.below(101)
    executor = SimulatedExecutor(scheduler)
    time = SimulatedTime(scheduler, speed: speed)
    store = NodeStore(world, name: name)
    probes = Probes(scheduler, planting: []) { _, _ in }
    var limits = SessionLimits()
    limits.sleepAfter = world.sleepAfter
    let dependencies = Dependencies(
      time: time,
      executor: executor,
      date: { [unowned world] in world.date },
      random: world.random
    )
    var leaseDependencies = dependencies
    if world.planted.contains(.slowClock) {
      leaseDependencies.time = SlowClock(time)
    }
    host = SessionHost(
      hostedViewModels(probes, isNewDeployment: true),
      limits: limits,
      dependencies: dependencies,
      store: store,
      ownership: Lease(store, leaseDependencies),
      inventory: (try? store.inventory()) ?? StoreInventory(),
      makeID: { [random = world.random] in
        var random = random
        return SessionID.random(using: &random)
      },
      report: { event in
        scheduler.note(20, "\(name): \(event.text)")
        world.reached(event)
      }
    )
    let readiness = Readiness()
    let links = NodeLinks(world, of: name)
    cluster = ClusterNode(host, links, readiness, metrics: ClusterMetrics(Metrics()))
    var options = SessionAPI.Options()
    options.authenticate = { request, _, done in
      done(.success(request.headers["X-User"].map { RequestSender($0) }))
    }
    let isMisread = world.planted.contains(.misreadPast)
    let archive = MemorySessionArchive(world.memory.sessions) { isMisread ? $0.misread : $0 }
    options.inspector = SessionInspector(
      on: { [executor] work in Task.detached(executorPreference: executor) { work() } },
      open: { archive }
    )
    probes.isTakenBack = { [unowned world] in world.ledger.isTakenBack($0) }
    api = SessionAPI(
      host,
      locator: cluster.locator,
      files: .empty,
      readiness: readiness,
      options: options
    )
    answerNode = cluster.handler(api)
    readiness.phase = .ready
    api.connectSessions()
    if world.planted.contains(.hastySettling) { host.settleHastily(api) }
    store.deliver = { [weak self] body in self?.deliver(body) }
    begin()
  }

  private func begin() {
    let (host, cluster, time) = (host, cluster, time)
    let tasks: [@Sendable () async throws -> Void] = [
      { try await host.recoverer.keepLease() },
      { try await host.expirer.run(wakingInterrupted: true) },
      { try await host.sleeper.run() },
      { try await host.alarmWaker.run() },
      {
        while true {
          try await time.sleep(for: .seconds(1))
          cluster.watch()
        }
      },
    ]
    upkeep = tasks.map { task in
      Task.detached(executorPreference: executor) { try? await task() }
    }
  }

  /// Runs an action in the process, or when it resumes.
  func deliver(_ body: @escaping () -> Void) {
    guard !isDead else { return }
    if isPaused { backlog.append(body) } else { body() }
  }

  /// Calls back when the process dies.
  func atDeath(_ body: @escaping () -> Void) {
    if isDead { body() } else { watchers.append(body) }
  }

  func pause() {
    guard !isDead, !isPaused else { return }
    scheduler.note(30, "\(name) pauses")
    isPaused = true
    executor.pause()
  }

  func resume() {
    guard !isDead, isPaused else { return }
    scheduler.note(31, "\(name) resumes")
    isPaused = false
    executor.resume()
    let bodies = backlog
    backlog = []
    for body in bodies { scheduler.soon { [self] in deliver(body) } }
  }

  /// Kills the process immediately.
  func kill() {
    guard !isDead else { return }
    scheduler.note(32, "\(name) dies")
    letGo()
  }

  /// Ends the process in order: its sessions are released at once.
  func stop() {
    guard !isDead else { return }
    if isPaused { resume() }
    scheduler.note(33, "\(name) ends")
    isEnding = true
    api.drain()
    scheduler.after(.milliseconds(300)) { [self] in
      isRefusing = true
      end(before: scheduler.now + .seconds(8))
    }
  }

  private func end(before deadline: Duration) {
    guard !isDead else { return }
    if open > 0, scheduler.now < deadline {
      scheduler.after(.milliseconds(20)) { [self] in end(before: deadline) }
      return
    }
    cutAll()
    host.closeAll()
    letGo()
  }

  /// Cuts the process's connections, so that none of its later messages arrives.
  private func cutAll() {
    let all = watchers
    watchers = []
    for body in all { body() }
  }

  private func letGo() {
    isDead = true
    cutAll()
    executor.die()
    store.die()
    probes.isDead = true
    for task in upkeep { task.cancel() }
    time.die()
    api.drain()
    host.closeAll()
    executor.runRest()
    backlog = []
  }
}
