import Synchronization
package import UIFusionKit

/// The parts that host the sessions of a service, put together.
///
/// With a store, stored sessions sleep until a request asks for them; a session begins and ends when the store has it.
/// The ``Directory`` decides what happens to each id, under a lock; the parts carry that out, outside the lock. The
/// host puts them together, and closes them; parts call each other back only while it is retained.
package final class SessionHost: Sendable {
  package let viewModels: HostedViewModels
  package let limits: SessionLimits
  package let dependencies: Dependencies
  /// Whether more memory may be taken.
  package let memory: MemoryGauge
  /// The timeouts of requests that are held.
  package let timeouts: Timeouts
  /// The secret with which digests of bodies are made: the store's, or this host's own if there is none.
  package let secret: [UInt8]
  /// Whether each Input that is processed is reported.
  package let reportsInputs: Bool
  /// This process's right to the sessions of the store.
  package let ownership: any SessionOwnership
  package let health: StoreHealth

  package let directory: LockedDirectory
  package let creator: Creator
  package let forker: Forker
  package let waker: Waker
  package let sleeper: Sleeper
  package let ender: Ender
  package let expirer: Expirer
  package let takeOver: TakeOver
  package let recoverer: Recoverer
  package let setAside: SetAsideSessions
  package let setAsideWatch: SetAsideWatch
  package let alarmWaker: AlarmWaker
  package let connections: Connections
  package let shares: Shares
  package let watcher: Watcher
  package let storedStateCheck: StoredStateCheck

  let uses: UseRecorder
  let context: SessionContext

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
    report: @escaping @Sendable (SessionEvent) -> Void = { _ in },
    inputReport: (@Sendable (SessionID, InputRecord) -> Void)? = nil,
    isWatchable: Bool = false
  ) {
    let viewModels = HostedViewModels(viewModels)
    let later = LaterParts()
    let store = store.map { TimeoutStore($0, dependencies) { later.health?.handle($0) } }
    let clock = WallClock(dependencies)
    let gap = inventory.unbelievableGap(before: clock.now, idleTime: limits.idleTime)
    if let gap {
      clock.distrust(gap)
      report(.gapDistrusted(gap))
    }
    var directory = Directory(
      isShared: ownership.isShared,
      ruled: Set(viewModels.all.filter { $0.accessRule != nil }.map(\.name))
    )
    directory.add(
      inventory,
      clock,
      usedLast: gap.map { _ in dependencies.time.now },
      told: Set(viewModels.all.filter(\.isToldOfEnd).map(\.name))
    )
    let sessions = LockedDirectory(directory, hasStore: store != nil, ownership, dependencies)
    let alarms = AlarmClock(dependencies) { [weak sessions] in
      sessions?.resident($0)?.instance?.engine
    }
    connections = Connections(dependencies.time)
    context = SessionContext(
      dependencies,
      clock,
      limits,
      MemoryGauge(limit: limits.memory),
      store: store,
      alarms: alarms,
      timeouts: Timeouts(dependencies),
      noteNumber: noteNumber,
      connection: connections.functions,
      report: report,
      recover: { later.recoverer?.recover($0, from: $1) },
      inputReport: inputReport,
      traces: isWatchable ? SessionTraces(clock) : nil
    )
    health = StoreHealth(store, ownership, dependencies, report: report) {
      later.recoverer?.recoverAll()
    }
    setAside = SetAsideSessions(within: limits.setAsideWithin, build: build, report: report)

    let restorer = Restorer(sessions, ownership, viewModels, setAside, context)
    waker = Waker(sessions, ownership, health, restorer, context)
    recoverer = Recoverer(sessions, ownership, health, waker, context)
    later.set(health, recoverer)

    creator = Creator(sessions, ownership, health, context, makeID: makeID)
    forker = Forker(sessions, viewModels, creator, waker, context)
    uses = UseRecorder(sessions, context)
    sleeper = Sleeper(sessions, waker, uses, context)
    takeOver = TakeOver(ownership, health, viewModels, setAside, waker, sleeper, context)
    let notifier = EndNotifier(sessions, viewModels, setAside, context)
    ender = Ender(sessions, ownership, health, waker, notifier, context)
    expirer = Expirer(sessions, ownership, health, ender, uses, takeOver, context)
    setAsideWatch = SetAsideWatch(setAside, waker, context)
    alarmWaker = AlarmWaker(
      alarms,
      sessions,
      ownership,
      health,
      viewModels,
      setAside,
      waker,
      sleeper,
      context
    )
    shares = Shares(sessions, health, context, makeID: makeID)
    watcher = Watcher(sessions, context)
    storedStateCheck = StoredStateCheck(
      directory: sessions,
      viewModels: viewModels,
      setAside: setAside,
      context: context
    )

    (self.viewModels, self.limits, self.dependencies) = (viewModels, limits, dependencies)
    (self.ownership, self.directory) = (ownership, sessions)
    (memory, timeouts) = (context.memory, context.timeouts)
    secret = inventory.secret.isEmpty ? Self.newSecret() : inventory.secret
    reportsInputs = inputReport != nil
  }

  private static func newSecret() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  /// Closes every engine, for the end of the service: clients are not told, nothing is forgotten.
  package func closeAll() {
    connections.end()
    uses.record()
    for session in directory.withLock({ $0.takeResidents() }) {
      // A build that does not know changes of names can still read a head, which has all names.
      if let log = session.instance?.log, log.base?.hasManyNames == true { log.storeHead() }
      session.stop()
    }
    context.store?.close()
  }

  /// Weak references to parts that others call back, and that need these others themselves.
  private final class LaterParts: Sendable {
    private let references = Mutex(References())

    private struct References: Sendable {
      weak var health: StoreHealth?
      weak var recoverer: Recoverer?
    }

    var health: StoreHealth? { references.withLock { $0.health } }
    var recoverer: Recoverer? { references.withLock { $0.recoverer } }

    func set(_ health: StoreHealth, _ recoverer: Recoverer) {
      references.withLock { $0 = References(health: health, recoverer: recoverer) }
    }
  }
}
