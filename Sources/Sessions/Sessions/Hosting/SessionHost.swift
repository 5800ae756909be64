import Synchronization
package import UIFusionKit

/// Keeps the sessions: opens them, finds them by id, and ends them.
///
/// With a store, sessions that were stored sleep until a request asks for them; what ends or begins does
/// so when the store has it.
package final class SessionHost: Sendable {
  package struct Limits: Sendable {
    package var sessions = 100_000
    package var queuedInputs = 256
    package var batch = 1_000
    /// Bytes of a State as JSON.
    package var state = 1 << 20
    /// Bytes of memory in use beyond which what takes more is refused; nil for no limit: see
    /// ``MemoryGauge``.
    package var memory: Int?
    /// How long a session stays without a stream or a request.
    package var idleTime = Duration.seconds(1800)
    /// How long an idle session stays in memory.
    package var sleepAfter = Duration.seconds(60)
    /// How long the id of a session that ended is remembered.
    package var memoryOfEnded = Duration.seconds(600)

    package init() {}
  }

  /// Something that happened to a session, for the log.
  package enum Event: Sendable {
    case created(SessionID, viewModel: String)
    case ended(SessionID, SessionEnd)
    /// A State of its could not stand: the turn was taken back.
    case unfit(SessionID, InvalidState)
    /// It was read from the store.
    case restored(SessionID, viewModel: String)
    /// So many were woken as they had been interrupted at work; the others failed, each of which was told.
    case wokeInterrupted(Int, failed: Int)
    /// Which ones had been, cannot be read.
    case interruptedUnknown(StoreError)
    /// What is stored of it cannot be read; it stays as it is.
    case unreadable(SessionID, viewModel: String, any Error)
    /// Stored States lack members that State has gained; a fresh State supplies them.
    case lacking(viewModel: String, [String])
    /// What the store has of it is damaged.
    case damaged(SessionID, StoreError)
    /// The store could not take what it did.
    case lost(SessionID, StoreError)
    /// The store has begun to fail; told once until it works again.
    case storeFailed(StoreError)
    /// The store does not answer; told once until it does.
    case storeHangs
    /// The store works again.
    case storeRecovered
    /// So many idle sessions were put to sleep, one after another.
    case putToSleep(Int)
    /// This node has joined those that share the store.
    case joined(Node)
    /// The lease could not be renewed in time: nothing is answered for until it can be.
    case leaseSilenced
    /// The lease was renewed after all; nothing is lost.
    case leaseRestored
    /// The lease has run out: sessions may be another's by now.
    case leaseLost
    /// This node has made the session its own.
    case acquired(SessionID)
    /// Another node has taken the session.
    case fenced(SessionID)
    /// The calendar was set, by so much: times that are stored follow it.
    case calendarSet(Duration)
    /// By the calendar nobody was there for so long before the start that every session would have
    /// expired: they have their idle time from the start on.
    case gapDistrusted(Duration)
  }

  package let viewModels: [HostedViewModel]
  package let limits: Limits
  package let dependencies: Dependencies
  /// Whether more memory may be taken.
  package let memory: MemoryGauge
  /// Of requests that are held.
  package let timeouts: Timeouts
  /// What digests of bodies are made with: that of the store, or of this host where there is none.
  package let secret: [UInt8]
  let store: TimeoutStore?
  /// Where other nodes share the store.
  let lease: Lease?
  let clock: WallClock
  let table: Mutex<SessionTable>
  let watch: StoreRecovery
  let report: @Sendable (Event) -> Void
  /// What sessions are given.
  let context: SessionContext
  private let byName: [String: HostedViewModel]
  private let makeID: @Sendable () -> SessionID

  /// A host without sessions, or one whose sessions are those of a store, all of them asleep at first.
  package init(
    _ viewModels: [HostedViewModel],
    limits: Limits = Limits(),
    dependencies: Dependencies = Dependencies(),
    store: (any SessionStore)? = nil,
    inventory: StoreInventory = StoreInventory(),
    makeID: @escaping @Sendable () -> SessionID = {
      var generator = SystemRandomNumberGenerator()
      return SessionID.random(using: &generator)
    },
    report: @escaping @Sendable (Event) -> Void = { _ in },
    inputReport: (@Sendable (SessionID, InputRecord) -> Void)? = nil
  ) {
    self.viewModels = viewModels
    self.limits = limits
    self.dependencies = dependencies
    let owner = WeakOwner()
    let store = store.map { TimeoutStore($0, dependencies) { owner.host?.told($0) } }
    self.store = store
    lease = store?.shared.map { Lease($0, dependencies) }
    self.makeID = makeID
    self.report = report
    clock = WallClock(dependencies)
    let gap = inventory.unbelievableGap(before: clock.now, idleTime: limits.idleTime)
    if let gap {
      clock.distrust(gap)
      report(.gapDistrusted(gap))
    }
    secret = inventory.secret.isEmpty ? Self.newSecret() : inventory.secret
    timeouts = Timeouts(dependencies)
    memory = MemoryGauge(limit: limits.memory)
    watch = StoreRecovery(store, dependencies)
    byName = Dictionary(viewModels.map { ($0.name, $0) }) { first, _ in first }
    var table = SessionTable()
    table.add(inventory, clock)
    if gap != nil { table.asleep = table.asleep.mapValues { _ in dependencies.time.now } }
    self.table = Mutex(table)
    context = SessionContext(
      dependencies,
      clock,
      limits,
      memory,
      store: store,
      unfit: { report(.unfit($0, $1)) },
      inputReport: inputReport
    )
    context.belong(to: self)
    owner.host = self
  }

  private static func newSecret() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  /// Whether anybody wants to know of each Input that is processed.
  package var reportsInputs: Bool { context.inputReport != nil }

  package func viewModel(named name: String) -> HostedViewModel? {
    byName[name]
  }

  /// How many sessions there are, asleep or awake.
  package var count: Int { table.withLock { $0.count } }

  /// How many sessions are in memory.
  package var awake: Int { table.withLock { $0.sessions.count } }

  /// Whether the store takes what sessions do, as far as is known.
  package var isStoreReachable: Bool {
    watch.isReachable && isLeaseHeld && store.map { $0.age < TimeoutStore.hangingAge } ?? true
  }

  /// How many Inputs wait to be processed, in all sessions together.
  package var waitingInputs: Int {
    table.withLock { $0.sessions }.values.reduce(0) { $0 + $1.waitingInputs }
  }

  // MARK: Opening

  /// Opens a session; `done` is given it when it stands in the store, at once where there is none.
  ///
  /// Its failure is a ``StoreError``, ``Full``, ``MemoryFull``, or what is wrong with the parameters.
  ///
  /// - Parameters:
  ///   - viewModel: what it is a session of.
  ///   - parameters: what a client has given for it.
  ///   - kept: an object that is kept until the session ends, or this process does; where other nodes may end it,
  ///     until it has left this one for the time after which idle ones expire.
  ///   - done: is given the session.
  package func create(
    _ viewModel: HostedViewModel,
    parameters: (any Parameters)? = nil,
    keeping kept: (any AnyObject & Sendable)? = nil,
    _ done: @escaping @Sendable (Result<Session, any Error>) -> Void
  ) {
    do { try memory.requireRoom() } catch { return done(.failure(error)) }
    let isFull = table.withLock { table in
      guard table.count + table.opening < limits.sessions else { return true }
      table.opening += 1
      return false
    }
    guard !isFull else { return done(.failure(Full())) }
    let session = Session(
      id: makeID(),
      viewModel: viewModel,
      parameters: parameters?.text ?? [],
      created: clock.now,
      used: dependencies.time.now,
      context
    )
    do {
      try session.begin(.new(parameters))
    } catch {
      table.withLock { $0.opening -= 1 }
      return done(.failure(error))
    }
    guard let store else {
      open(session, keeping: kept)
      session.start()
      return done(.success(session))
    }
    guard let record = session.initialRecord else { return done(.failure(StoreError.closed)) }
    let node = lease?.node
    store.commit(.create(record)) { [self] error in
      if let error {
        table.withLock { $0.opening -= 1 }
        session.stop()
        if error == .inDoubt { letGoUnseen(session.id) }
        storeFailed(error)
        return done(.failure(error))
      }
      open(session, keeping: kept)
      // It stands, but under a lease that has run out since.
      if lease?.node != node { session.instance?.log.abandon(.fenced) }
      session.start()
      done(.success(session))
    }
  }

  /// There are as many sessions as may be.
  package struct Full: Error {}

  private func open(_ session: Session, keeping kept: (any AnyObject & Sendable)?) {
    table.withLock { table in
      table.opening -= 1
      table.sessions[session.id] = session
      if let kept { table.kept[session.id] = SessionTable.Kept(object: kept) }
    }
    report(.created(session.id, viewModel: session.viewModel.name))
  }

  // MARK: Finding

  /// What became of an id.
  package enum Lookup: Sendable {
    case live(Session)
    case ended(SessionEnd)
    /// It has to be woken first: see ``wake(_:_:)``.
    case asleep
    case unknown
  }

  /// Finds a session, and begins its idle time anew.
  package func find(_ id: SessionID) -> Lookup {
    let isLeaseHeld = isLeaseHeld
    return table.withLock { table in
      guard let session = table.sessions[id] else {
        // First, since the store may be busy with telling so.
        if let ended = table.ended[id] { return .ended(ended.end) }
        if table.asleep[id] != nil { return .asleep }
        let mayBe = lease == nil ? table.busy[id] != nil : !table.missing.contains(id)
        return mayBe ? .asleep : .unknown
      }
      guard isLeaseHeld else { return .asleep }
      // Under the lock, or it could expire between being found and being used.
      session.use.touch(dependencies.time.now)
      return .live(session)
    }
  }
}
