import Synchronization
package import UIFusionKit

/// The sessions of a service: creates them, finds them by id, and ends them.
///
/// With a store, stored sessions sleep until a request asks for them; a session begins and ends when the store has it.
/// ``SessionTable`` decides what happens to each id, under a lock; the host carries that out, outside the lock.
package final class SessionHost: Sendable {
  package let viewModels: [HostedViewModel]
  package let limits: SessionLimits
  package let dependencies: Dependencies
  /// Whether more memory may be taken.
  package let memory: MemoryGauge
  /// The timeouts of requests that are held.
  package let timeouts: Timeouts
  /// The secret with which digests of bodies are made: the store's, or this host's own if there is none.
  package let secret: [UInt8]
  let store: TimeoutStore?
  let ownership: any SessionOwnership
  let clock: WallClock
  let table: Mutex<SessionTable>
  let recovery: StoreRecovery
  let report: @Sendable (Event) -> Void
  let context: SessionContext
  /// The sessions that are set aside, as far as is known.
  let setAside = Mutex<Set<SessionID>>([])
  /// The identity of this build of the program.
  let build: @Sendable () -> String
  let alarms: AlarmClock
  /// The connection between sessions; nil before it is set.
  let connection = Mutex<SessionConnection?>(nil)
  private let byName: [ByteString: HostedViewModel]
  let makeID: @Sendable () -> SessionID

  /// Creates a host without sessions, or with those of a store, all of them asleep at first.
  ///
  /// - Parameters:
  ///   - viewModels: the view models that sessions may be of.
  ///   - limits: how much the sessions may take.
  ///   - dependencies: the clock, the executor and the randomness.
  ///   - store: where sessions are kept; nil keeps them in memory alone.
  ///   - ownership: which of the store's sessions this process may have: a lease if nodes share the store.
  ///   - inventory: the contents of the store.
  ///   - makeID: makes the ids of new sessions.
  ///   - noteNumber: the number of the service in the notes of user code; 0 for no notes.
  ///   - build: the identity of this build of the program; called only where a session has ended a process.
  ///   - report: told of what happens to sessions, on any thread.
  ///   - inputReport: told of each Input that was processed.
  ///   - isWatchable: whether sessions may be watched.
  package init(
    _ viewModels: [HostedViewModel],
    limits: SessionLimits = SessionLimits(),
    dependencies: Dependencies = Dependencies(),
    store: (any SessionStore)? = nil,
    ownership: any SessionOwnership = SoleOwnership(),
    inventory: StoreInventory = StoreInventory(),
    makeID: @escaping @Sendable () -> SessionID = {
      var generator = SystemRandomNumberGenerator()
      return SessionID.random(using: &generator)
    },
    noteNumber: UInt = 0,
    build: @escaping @Sendable () -> String = { "" },
    report: @escaping @Sendable (Event) -> Void = { _ in },
    inputReport: (@Sendable (SessionID, InputRecord) -> Void)? = nil,
    isWatchable: Bool = false
  ) {
    self.viewModels = viewModels
    self.limits = limits
    self.dependencies = dependencies
    let owner = WeakHost()
    let timed = store.map { TimeoutStore($0, dependencies) { owner.host?.handle($0) } }
    self.store = timed
    self.ownership = ownership
    self.makeID = makeID
    self.report = report
    self.build = build
    clock = WallClock(dependencies)
    let gap = inventory.unbelievableGap(before: clock.now, idleTime: limits.idleTime)
    if let gap {
      clock.distrust(gap)
      report(.gapDistrusted(gap))
    }
    secret = inventory.secret.isEmpty ? Self.newSecret() : inventory.secret
    timeouts = Timeouts(dependencies)
    memory = MemoryGauge(limit: limits.memory)
    recovery = StoreRecovery(timed, dependencies)
    byName = Dictionary(viewModels.map { (ByteString($0.name), $0) }) { first, _ in first }
    var table = SessionTable(isShared: ownership.isShared)
    let told = viewModels.filter(\.isToldOfEnd).map(\.name)
    table.add(inventory, clock, usedLast: gap.map { _ in dependencies.time.now }, told: Set(told))
    self.table = Mutex(table)
    alarms = AlarmClock(dependencies) { owner.host?.ring($0) }
    context = SessionContext(
      dependencies,
      clock,
      limits,
      memory,
      store: timed,
      alarms: alarms,
      timeouts: timeouts,
      noteNumber: noteNumber,
      reportAlarmChange: { owner.host?.changed($0, $1) },
      connection: SessionConnection(
        deliver: { await owner.host?.deliver($0) ?? .failed },
        follow: { [time = dependencies.time] wish, show in
          await SessionHost.follow(wish, over: { owner.host?.currentConnection }, time, show)
        }
      ),
      reportInvalidState: { report(.invalid($0, $1)) },
      reportDroppedMembers: { report(.dropped($0, viewModel: $1, $2)) },
      reportSlowTurn: { report(.slowTurn($0, viewModel: $1, $2)) },
      reportLoss: { owner.host?.lost($0, $1) },
      inputReport: inputReport,
      traces: isWatchable ? SessionTraces(clock) : nil
    )
    owner.host = self
  }

  private static func newSecret() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  /// Whether each Input that is processed is reported.
  package var reportsInputs: Bool { context.inputReport != nil }

  /// Changes the table, at this moment.
  func change<Outcome>(
    _ body: (inout SessionTable, _ now: Duration) -> sending Outcome
  ) -> sending Outcome {
    let now = dependencies.time.now
    return table.withLock { body(&$0, now) }
  }

  /// Whether any view model is told of its visitors.
  package var isToldOfVisitors: Bool { viewModels.contains(where: \.isToldOfVisitors) }

  package func viewModel(named name: String) -> HostedViewModel? {
    byName[ByteString(name)]
  }

  /// The number of sessions, asleep or awake.
  package var count: Int { table.withLock { $0.count } }

  /// The number of sessions in memory.
  package var awake: Int { table.withLock { $0.liveCount } }

  /// Whether the store commits changes, as far as is known.
  package var isStoreReachable: Bool {
    recovery.isReachable && isLeaseHeld && store.map { $0.age < TimeoutStore.hangingAge } ?? true
  }

  /// The number of Inputs that wait to be processed, in all sessions together.
  package var waitingInputs: Int {
    table.withLock { $0.live }.reduce(0) { $0 + $1.waitingInputs }
  }

  /// A reference to a host that is still being made.
  private final class WeakHost: Sendable {
    private let reference = Mutex(Reference())

    private struct Reference: Sendable {
      weak var host: SessionHost?
    }

    var host: SessionHost? {
      get { reference.withLock { $0.host } }
      set { reference.withLock { $0.host = newValue } }
    }
  }
}
