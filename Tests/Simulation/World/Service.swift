import FoundationEssentials
import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessionAPI
import FusionSessions
import UIFusionKit

/// A process of the service: a host and its API, with an executor, a clock and a store connection of their
/// own.
final class Service: @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  /// The process's number in its world.
  let number: Int
  let host: SessionHost
  let api: SessionAPI
  let time: SimulatedTime
  let probes: Probes
  let connection: StoreConnection
  private let executor: SimulatedExecutor
  private let scheduler: Scheduler
  private var expiring: Task<Void, Never>?
  private var puttingToSleep: Task<Void, Never>?
  private var ringing: Task<Void, Never>?
  private(set) var isDead = false
  /// Whether the process refuses new requests.
  private(set) var isRefusing = false
  /// The calendar's offsets from the process's time: at the start, and after each step.
  var clockOffsets: [Duration]
  /// The idle time of each session at the start, by the calendar at that moment.
  private let idleAtStart: [SessionID: Duration]
  /// The callbacks for the process's death.
  private var watchers: [Int: () -> Void] = [:]
  private var watchersCount = 0
  /// The number of unanswered requests.
  var open = 0

  init(_ world: World, number: Int) throws {
    let scheduler = world.scheduler
    self.number = number
    self.scheduler = scheduler
    clockOffsets = [world.clockOffset]
    executor = SimulatedExecutor(scheduler)
    time = SimulatedTime(scheduler)
    connection = StoreConnection(world.store, scheduler)
    probes = Probes(scheduler, planting: world.plan.planted) { [weak world] in
      world?.judge.workBegan($0, isRestored: $1)
    }
    var limits = SessionLimits()
    limits.idleTime = world.plan.idleTime
    limits.queuedInputs = world.plan.queuedInputs
    limits.sleepAfter = world.plan.sleepAfter ?? limits.sleepAfter
    limits.unstoredBytes = world.plan.unstoredBytes
    let inventory = try connection.inventory()
    let start = world.wallTime.milliseconds
    idleAtStart = Dictionary(
      uniqueKeysWithValues: inventory.sessions.map {
        // A last use in the future, after a step back, counts as a use at the start.
        ($0.id, .milliseconds(max(0, start - $0.used.milliseconds)))
      }
    )
    let hosted = hostedViewModels(probes, isNewDeployment: world.isNewDeployment)
    host = SessionHost(
      hosted,
      limits: limits,
      dependencies: Dependencies(
        time: time,
        executor: executor,
        date: { [unowned world] in world.date },
        random: world.random
      ),
      store: connection,
      inventory: inventory,
      makeID: { [random = world.random] in
        var random = random
        return SessionID.random(using: &random)
      },
      report: { [probes] event in
        scheduler.note(20, "host: \(event.text)")
        switch event {
        case .restored(let id, let viewModel):
          scheduler.coverage.add(.stateRestored)
          probes.restored(id, of: viewModel)
        case .rang(_, let late):
          scheduler.coverage.add(late > .seconds(1) ? .alarmLate : .alarmRang)
        case .message(_, .delivered, _): scheduler.coverage.add(.messageDelivered)
        case .message(_, .refused, _): scheduler.coverage.add(.messageRefused)
        case .wokeInterrupted: scheduler.coverage.add(.interruptedWoken)
        default: break
        }
      }
    )
    probes.isTakenBack = { [weak world] in world?.isTakenBack($0) == true }
    var options = SessionAPI.Options()
    options.inspector = SessionInspector(
      on: { [executor] work in Task.detached(executorPreference: executor) { work() } },
      open: { [archive = world.store.archive] in archive }
    )
    api = SessionAPI(host, files: .empty, options: options)
    api.readiness.phase = .ready
    api.connectSessions()
    if probes.planted.contains(.hastySettling) { host.settleHastily(api) }
    connection.afterDeath = { [weak executor] in executor?.runRest() }
    connection.expiring = { [weak self, weak world] ids in
      if let self { world?.judge.expiring(ids, by: self) }
    }
    let isWakingInterrupted = world.plan.isWakingInterrupted
    expiring = Task.detached(executorPreference: executor) { [weak host] in
      try? await host?.expirer.run(wakingInterrupted: isWakingInterrupted)
    }
    ringing = Task.detached(executorPreference: executor) { [weak host] in
      try? await host?.alarmWaker.run()
    }
    guard world.plan.sleepAfter != nil else { return }
    puttingToSleep = Task.detached(executorPreference: executor) { [weak host] in
      try? await host?.sleeper.run()
    }
  }

  /// Returns the idle time of a session that existed at the start and has not been used since.
  func idle(_ id: SessionID) -> Duration? { idleAtStart[id].map { $0 + time.now } }

  /// Calls back when the process dies; returns the number for ``stopWatching(_:)``.
  func atDeath(_ body: @escaping () -> Void) -> Int {
    watchersCount += 1
    watchers[watchersCount] = body
    return watchersCount
  }

  func stopWatching(_ number: Int) {
    watchers[number] = nil
  }

  /// Kills the process immediately.
  ///
  /// Its memory is freed outside the simulation, without any visible effect.
  func kill() {
    isDead = true
    executor.die()
    connection.die()
    letGo()
  }

  /// Ends the service in order, as `RunningServer` does: it answers requests for a limited time, refuses new
  /// ones, and stores the rest.
  func stop(_ done: @escaping () -> Void) {
    api.drain()
    // Other clients may wait longer for their answers than these.
    scheduler.after(scheduler.duration(upTo: .milliseconds(300))) { [self] in
      waitForAnswers(until: scheduler.now + .seconds(6)) { [self] in
        isRefusing = true
        waitForAnswers(until: scheduler.now + .seconds(2)) { [self] in
          end()
          done()
        }
      }
    }
  }

  private func waitForAnswers(until deadline: Duration, _ done: @escaping () -> Void) {
    guard !isDead else { return }
    guard open > 0, scheduler.now < deadline else { return done() }
    scheduler.after(.milliseconds(20)) { [self] in waitForAnswers(until: deadline, done) }
  }

  private func end() {
    isDead = true
    host.closeAll()
    connection.flush()
    executor.die()
    connection.die()
    letGo()
  }

  private func letGo() {
    probes.isDead = true
    for (_, body) in watchers.sorted(by: { $0.key < $1.key }) { body() }
    watchers = [:]
    expiring?.cancel()
    expiring = nil
    ringing?.cancel()
    ringing = nil
    puttingToSleep?.cancel()
    puttingToSleep = nil
    time.die()
    api.drain()
    host.closeAll()
    executor.runRest()
  }
}

extension SessionEvent {
  var text: String {
    switch self {
    case .created(let id, let name, _): "created \(id.redacted) \(name)"
    case .forked(let id, let origin, _): "forked \(id.redacted) from \(origin.redacted)"
    case .ended(let id, let end, _): "ended \(id.redacted) \(end)"
    case .invalid(let id, let invalid): "invalid \(id.redacted) \(invalid)"
    case .restored(let id, _): "restored \(id.redacted)"
    case .wokeInterrupted(let count, let failed): "woke \(count), \(failed) failed"
    case .interruptedUnknown(let error): "interrupted unknown \(error)"
    case .alarmsUnknown(let error): "alarms unknown \(error)"
    case .unreadable(let id, _, let error): "unreadable \(id.redacted) \(error)"
    case .changed(let viewModel, let changes): "\(viewModel) changed \(changes)"
    case .dropped(let id, _, let members): "dropped \(members) of \(id.redacted)"
    case .rang(let id, let late): "rang \(id.redacted) \(late) late"
    case .message(let id, let step, _): "message of \(id.redacted) \(step)"
    case .slowTurn(let id, _, _): "slow turn of \(id.redacted)"
    case .setAside(let id, _): "set \(id.redacted) aside"
    case .resumed(let id): "resumed \(id.redacted)"
    case .lost(let id, let error): "lost \(id.redacted) \(error)"
    case .damaged(let id, let error): "damaged \(id.redacted) \(error)"
    case .storeFailed(let error): "store failed \(error)"
    case .storeHangs: "store hangs"
    case .storeRecovered: "store recovered"
    case .calendarSet(let step): "calendar set by \(step)"
    case .gapDistrusted(let gap): "gap of \(gap) distrusted"
    case .putToSleep(let count): "put \(count) to sleep"
    case .joined(let node): "joined as \(node.number)"
    case .leaseSilenced: "lease silenced"
    case .leaseRestored: "lease restored"
    case .leaseLost: "lease lost"
    case .acquired(let id): "acquired \(id.redacted)"
    case .fenced(let id): "fenced \(id.redacted)"
    }
  }
}

extension SessionHost {
  /// Plants that a message counts as settled once it is delivered.
  func settleHastily(_ api: SessionAPI) {
    connections.connect { envelope in
      let delivery = await api.deliver(envelope)
      if case .unsettled = delivery { return .delivered }
      return delivery
    }
  }
}
