import FoundationEssentials
import HTTPMessages
import SessionAPI
import Sessions
import UIFusionKit

/// One process of the service: its host and its interface, on an executor, a clock and a line to the
/// store of their own.
final class Service: @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  let host: SessionHost
  let api: SessionAPI
  let time: SimulatedTime
  let probes: Probes
  let connection: StoreConnection
  private let executor: SimulatedExecutor
  private let scheduler: Scheduler
  private var expiring: Task<Void, Never>?
  private(set) var isDead = false
  /// Told that the process is dead: whoever waits for something of it.
  private var mourners: [Int: () -> Void] = [:]
  private var mournersCount = 0
  /// How many requests are to be answered.
  var open = 0

  init(_ world: World) throws {
    let scheduler = world.scheduler
    self.scheduler = scheduler
    executor = SimulatedExecutor(scheduler)
    time = SimulatedTime(scheduler)
    connection = StoreConnection(world.store, scheduler)
    probes = Probes(scheduler, planting: world.plan.planted) { [weak world] in
      world?.judge.effectBegan(for: $0)
    }
    var limits = SessionHost.Limits()
    limits.idleTime = world.plan.idleTime
    limits.queuedInputs = world.plan.queuedInputs
    let start = Date(timeIntervalSince1970: 1_000_000 + scheduler.now / .seconds(1))
    host = SessionHost(
      hostedViewModels(probes),
      limits: limits,
      dependencies: Dependencies(
        time: time,
        executor: executor,
        date: { start },
        random: world.random
      ),
      store: connection,
      inventory: try connection.inventory(),
      makeID: { [random = world.random] in
        var random = random
        return SessionID.random(using: &random)
      },
      report: { event in scheduler.note(20, "host: \(event.text)") }
    )
    api = SessionAPI(host, files: .empty)
    api.readiness.phase = .ready
    connection.afterDeath = { [weak executor] in executor?.runRest() }
    expiring = Task.detached(executorPreference: executor) { [weak host] in
      try? await host?.keepExpiring()
    }
  }

  /// Calls back when the process is dead, unless it is told otherwise before.
  func mourn(_ body: @escaping () -> Void) -> Int {
    mournersCount += 1
    mourners[mournersCount] = body
    return mournersCount
  }

  func stopMourning(_ number: Int) {
    mourners[number] = nil
  }

  /// The process is gone from one moment to the next.
  ///
  /// What it held is let go of apart from the world, where nobody sees it.
  func kill() {
    isDead = true
    executor.die()
    connection.die()
    bury()
  }

  /// The service ends in order: answers what it can within a time, and has the store take the rest.
  func stop(_ done: @escaping () -> Void) {
    api.drain()
    end(by: scheduler.now + .seconds(8), done)
  }

  private func end(by deadline: Duration, _ done: @escaping () -> Void) {
    guard open == 0 || scheduler.now >= deadline else {
      scheduler.after(.milliseconds(20)) { [self] in end(by: deadline, done) }
      return
    }
    isDead = true
    host.closeAll()
    connection.flush()
    executor.die()
    connection.die()
    bury()
    done()
  }

  private func bury() {
    for (_, body) in mourners.sorted(by: { $0.key < $1.key }) { body() }
    mourners = [:]
    expiring?.cancel()
    expiring = nil
    time.die()
    api.drain()
    host.closeAll()
    executor.runRest()
  }
}

extension SessionHost.Event {
  fileprivate var text: String {
    switch self {
    case .created(let id, let name): "created \(id.redacted) \(name)"
    case .ended(let id, let end): "ended \(id.redacted) \(end)"
    case .unwritable(let id, let error): "unwritable \(id.redacted) \(error)"
    case .restored(let id, _): "restored \(id.redacted)"
    case .unreadable(let id, _, let error): "unreadable \(id.redacted) \(error)"
    case .lost(let id, let error): "lost \(id.redacted) \(error)"
    case .damaged(let id, let error): "damaged \(id.redacted) \(error)"
    case .storeFailed(let error): "store failed \(error)"
    case .storeRecovered: "store recovered"
    }
  }
}
