import Synchronization
import UIFusionKit

/// One hosted view model: what can be seen of it, who is there, and what runs it.
package final class Session: Sendable {
  package let id: SessionID
  package let viewModel: HostedViewModel
  package let feed = Feed()
  /// What it was created with, as JSON.
  let parameters: [UInt8]
  let created: WallTime
  let surroundings: Surroundings
  let keys: Mutex<IdempotencyKeys>
  private let life: Mutex<Life>
  private let use: Mutex<Use>

  /// What all sessions of a host are given.
  struct Surroundings: Sendable {
    let dependencies: Dependencies
    let clock: WallClock
    let mailboxLimit: Int
    let store: (any SessionStore)?
    /// Told of a State that cannot be written as JSON.
    let unwritable: @Sendable (SessionID, any Error) -> Void
    /// Told that a session has lost its instance.
    let failed: @Sendable (SessionID, StoreError) -> Void
  }

  private enum Life {
    case awake(Instance)
    /// It is to be read from the store before anybody can do anything with it.
    case asleep
    case over
  }

  private struct Use {
    var last: Duration
    /// Nil where the store did not take it.
    var stored: Duration?
    var holders = 0
  }

  /// A session that sleeps.
  init(
    id: SessionID,
    viewModel: HostedViewModel,
    parameters: [UInt8],
    created: WallTime,
    used: Duration,
    keys: IdempotencyKeys = IdempotencyKeys(),
    _ surroundings: Surroundings
  ) {
    self.id = id
    self.viewModel = viewModel
    self.parameters = parameters
    self.created = created
    self.surroundings = surroundings
    self.keys = Mutex(keys)
    life = Mutex(.asleep)
    use = Mutex(Use(last: used, stored: used))
  }

  var time: any TimeSource { surroundings.dependencies.time }
  var executor: (any TaskExecutor)? { surroundings.dependencies.executor }

  var isAwake: Bool { instance != nil }

  /// What runs it; nil while it sleeps, and when it is over.
  private var instance: Instance? {
    life.withLock { life in
      if case .awake(let instance) = life { instance } else { nil }
    }
  }

  /// Begins with a new view model; from `position`, with one that the store had, which is to be told
  /// what was interrupted: see ``resume()``.
  ///
  /// - Throws: what is wrong with the parameters, or with the stored State.
  func begin(
    _ start: HostedViewModel.Start,
    from position: Journal.Position? = nil,
    interrupted: [String] = []
  ) throws {
    let surroundings = surroundings
    let id = id
    let journal = surroundings.store.map { store in
      Journal(
        of: id,
        in: store,
        from: position,
        patches: viewModel.patches,
        running: interrupted,
        now: { surroundings.clock.now },
        failed: { [weak self] in self?.lose($0) }
      )
    }
    // What an instance before it was doing is no more.
    if position != nil { feed.settle(true) }
    let instance = try Instance(
      viewModel,
      start,
      feed: feed,
      journal: journal,
      dependencies: surroundings.dependencies,
      mailboxLimit: surroundings.mailboxLimit,
      failed: { surroundings.unwritable(id, $0) }
    )
    // Before anybody finds the instance, or an Input might come first.
    if position != nil { instance.engine.prepare(Interrupted(interrupted)) }
    life.withLock { $0 = .awake(instance) }
    // The store may have failed by now, when there was no instance yet to be discarded.
    if let failure = journal?.failure { lose(failure) }
  }

  /// Lets a view model go on that the store had, once it has begun.
  func resume() {
    instance?.engine.resume()
  }

  /// A session that has just begun, as it is to be stored; nil where there is no store.
  var stored: StoredSession? {
    guard let position = journal?.position else { return nil }
    return StoredSession(
      id: id,
      viewModel: viewModel.name,
      parameters: parameters,
      created: created,
      used: created,
      head: StoredHead(
        sequence: position.sequence,
        version: position.version,
        format: position.format,
        state: position.state
      )
    )
  }

  /// What it has done, where there is a store and it is awake.
  var journal: Journal? { instance?.journal }

  /// The store has failed: what runs is discarded.
  private func lose(_ error: StoreError) {
    let lost: Instance? = life.withLock { life in
      guard case .awake(let instance) = life else { return nil }
      life = .asleep
      return instance
    }
    guard let lost else { return }
    lost.engine.close()
    surroundings.failed(id, error)
  }

  /// How many Inputs wait to be taken up.
  var waitingInputs: Int { instance?.engine.waitingInputs ?? 0 }

  /// Stores the State in whole, if the session has done nothing since the last time.
  func recordHead() { journal?.recordHead() }

  /// Calls back on the pool, when the turn that may be at work has come to its end or its next
  /// suspension, and the feed says whether the session is settled.
  package func afterTurn(_ body: @escaping @Sendable () -> Void) {
    guard let instance else { return body() }
    Task.detached(executorPreference: executor) {
      await enter(instance.engine)
      guard let journal = instance.journal else { return body() }
      journal.pass(.answer(stored: body, failed: { _ in body() }))
    }
  }

  func close(_ end: SessionEnd) {
    stop()
    feed.end(end)
  }

  /// Lets go of what runs: for the end of the service, nobody is told.
  func stop() {
    let instance: Instance? = life.withLock { life in
      defer { life = .over }
      if case .awake(let instance) = life { return instance }
      return nil
    }
    instance?.engine.close()
  }

  // MARK: Inputs

  /// Hands Inputs over, as they stand in a request's body.
  ///
  /// `progress` is called once what it tells may be seen, in order; it must neither wait nor call
  /// back.
  ///
  /// - Throws: a ``Refusal``, or what is wrong with the body. Then nothing was handed over.
  package func submit(
    _ body: [UInt8],
    if condition: (@Sendable (_ version: Int) -> Bool)? = nil,
    keyed: KeyedInputs? = nil,
    progress: @escaping @Sendable (Progress) -> Void
  ) throws {
    guard let instance else { throw refusal }
    // Asked after the instance: one that comes from the store has brought its keys with it, and they
    // may know this one.
    guard keyed.map(isClaimed) != false else { throw Refusal.asleep }
    // A request that waits to be taken up keeps the session.
    hold()
    do {
      let submission = try instance.submit(viewModel, body, if: condition, keyed: keyed) {
        [self] step in
        if step.endsWaiting { release() }
        progress(step)
      }
      switch submission {
      case .accepted: return
      case .full: throw Refusal.queueFull
      case .closed: throw refusal
      }
    } catch {
      release()
      throw error
    }
  }

  private var refusal: Refusal {
    life.withLock { life in
      if case .asleep = life { .asleep } else { .ended }
    }
  }

  /// What has become of Inputs, and what the session shows at that moment.
  package enum Progress: Sendable {
    /// The last Input has been taken up, and has done what it does before it first suspends.
    case taken(Snapshot, isSettled: Bool)
    /// Nothing that these Inputs started is left. Follows an unsettled `taken`.
    case settled(Snapshot)
    /// The condition was not met; nothing was done.
    case refused(Snapshot)
    /// The session ended before these Inputs had settled. Follows an unsettled `taken`.
    case abandoned
    /// The store failed before these Inputs had settled, and what they started is no more. Follows an
    /// unsettled `taken`.
    case interrupted
    /// The session ended before the last of these Inputs was taken up.
    case ended
    /// The store could not take what the Inputs did: nobody will see it.
    case failed(StoreError)
  }

  /// Why Inputs were not even handed over.
  package enum Refusal: Error {
    case queueFull
    case ended
    /// The session has to be read from the store.
    case asleep
  }

  // MARK: Use

  /// Somebody is here at this moment: the session's idle time begins anew.
  func touch() {
    let now = time.now
    use.withLock { $0.last = now }
  }

  /// Somebody stays, a stream or a held request: until ``release()`` the session is not idle.
  package func hold() {
    use.withLock { $0.holders += 1 }
  }

  package func release() {
    let now = time.now
    use.withLock {
      $0.holders -= 1
      $0.last = now
    }
  }

  func isIdle(since deadline: Duration) -> Bool {
    use.withLock { $0.holders == 0 && $0.last <= deadline }
  }

  /// When somebody was here last, if the store does not know of it.
  func takeUnstoredUse() -> Duration? {
    let now = time.now
    return use.withLock { use in
      if use.holders > 0 { use.last = now }
      guard use.stored.map({ $0 < use.last }) != false else { return nil }
      use.stored = use.last
      return use.last
    }
  }

  /// The store did not take what ``takeUnstoredUse()`` has given.
  func useNotStored() {
    use.withLock { $0.stored = nil }
  }
}

extension Session.Progress {
  /// Whether these Inputs stood in the queue until now.
  fileprivate var endsWaiting: Bool {
    switch self {
    case .taken, .refused, .ended, .failed: true
    case .settled, .abandoned, .interrupted: false
    }
  }
}

/// Suspends until the engine has a moment: what was running there by then is over.
private func enter(_ engine: isolated Engine) {}
