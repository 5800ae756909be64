import Synchronization
import UIFusionKit

/// A session of a view model: its feed, its use, and while it is awake the instance that runs it.
package final class Session: CommitLogOwner {
  package let id: SessionID
  package let viewModel: HostedViewModel
  package let feed = SnapshotFeed()
  /// The parameters of the session's creation, as JSON.
  let parameters: [UInt8]
  /// The id of the identity that the session belongs to; nil if it belongs to nobody.
  package let identity: String?
  /// The creator of a session that belongs to nobody: see ``SessionOrigin/creator``.
  let creator: String?
  let name: String?
  let created: WallTime
  let context: SessionContext
  let keys: Mutex<IdempotencyKeys>
  let use: SessionUse
  /// The presence of visitors; nil if the view model is not told of them.
  let presence: SessionPresence?
  /// The life of the session; the times of its alarms change with it.
  private let life: Mutex<Life>

  private enum Life {
    case awake(Instance)
    /// The session is to be read from the store before a request can use it.
    case asleep
    /// Another node goes on with it.
    case elsewhere
    case over
  }

  /// Creates a session that sleeps.
  init(
    id: SessionID,
    viewModel: HostedViewModel,
    parameters: [UInt8],
    identity: String? = nil,
    creator: String? = nil,
    name: String? = nil,
    created: WallTime,
    used: Duration,
    keys: IdempotencyKeys = IdempotencyKeys(),
    _ context: SessionContext
  ) {
    self.id = id
    self.viewModel = viewModel
    self.parameters = parameters
    self.identity = identity
    self.creator = creator
    self.name = name
    self.created = created
    self.context = context
    self.keys = Mutex(keys)
    use = SessionUse(idleSince: used, adjustmentCount: context.clock.adjustmentCount)
    presence = viewModel.presence.map(SessionPresence.init)
    life = Mutex(.asleep)
  }

  /// The name, with the view model and the identity for which it is unique; nil if the session has none.
  var sessionName: SessionName? {
    name.map { SessionName(stored: $0, of: viewModel.name, for: identity) }
  }

  package var origin: SessionOrigin {
    SessionOrigin(identity: identity, creator: creator, viewModel: viewModel.name)
  }

  /// Refuses a request while memory is full, unless the session's State and the request's body are small.
  package func requireMemory(forBody size: Int = 0) throws(MemoryFull) {
    try context.memory.requireRoom(for: max(size, current?.size ?? 0))
  }

  var isAwake: Bool { instance != nil }

  /// The instance that runs the session; nil while it sleeps, and when it is over.
  var instance: Instance? {
    life.withLock { life in
      if case .awake(let instance) = life { instance } else { nil }
    }
  }

  // MARK: Waking

  /// Begins with a new view model, or with a stored one from `position`; ``resume()`` continues.
  ///
  /// - Throws: An error if the parameters or the State are not valid.
  func begin(_ start: HostedViewModel.Start, from position: StoredPosition? = nil) throws {
    // The work of the last instance has ended.
    if let position {
      let isSettled = !position.alarms.contains(where: \.isUnsettled)
      feed.show(nil, isSettled: isSettled)
      setAtWork(!isSettled)
    }
    let log = CommitLog(of: self, from: position)
    let code = position == nil ? RunningCode.creation : .waking
    let instance = try context.noting(code, id, viewModel) {
      try Instance(viewModel, start, log, identity, context)
    }
    // A stored State stays valid, whatever the limit is by now.
    if position == nil, let invalid = instance.engine.invalid {
      instance.engine.close()
      throw invalid
    }
    // Before a request finds the instance, or an Input might come first.
    if let position {
      instance.engine.prepare(position.beginning)
    } else if instance.engine.beginsWithActions {
      instance.engine.prepare(.started)
    }
    life.withLock { life in
      life = .awake(instance)
      use.setHasAlarm(position?.alarms.contains { !$0.isRecord } == true, use.idleSince)
    }
    presence?.restart(self, isRestored: position != nil)
    // The store may have failed by now, when there was no instance yet to be discarded.
    if let failure = log.failure { lose(failure, of: log) }
  }

  /// Continues a restored view model, on this thread, and lets its stored alarms ring.
  ///
  /// The directory has to have the session by now: a due alarm rings at once.
  func resume(with alarms: [StoredAlarm]) {
    if let first = alarms.filter({ !$0.isRecord }).min() {
      context.alarms.set(first.time, of: id, hasRung: false)
      // It may have ended meanwhile.
      if !isAwake { context.alarms.remove(id) }
    }
    instance?.engine.resume()
  }

  /// Starts a new view model, in the pool.
  func start() {
    if let engine = instance?.engine, engine.beginsWithActions || engine.followsSessions {
      engine.wake()
    }
  }

  /// A session that has just begun, as it is to be stored.
  var initialRecord: StoredSession? {
    guard let instance, var base = instance.log.base else { return nil }
    base.running = instance.engine.beginsWithActions ? [StoredPosition.start] : []
    return StoredSession(
      id: id,
      viewModel: viewModel.name,
      parameters: parameters,
      identity: identity,
      creator: creator,
      name: name,
      created: created,
      used: created,
      head: base.head()
    )
  }

  func lose(_ error: StoreError, of log: CommitLog) {
    let lost: Instance? = life.withLock { life in
      guard case .awake(let instance) = life, instance.log === log else { return nil }
      life = .asleep
      context.alarms.remove(id)
      return instance
    }
    guard let lost else { return }
    context.traces?.add(.asleep, of: id)
    lost.engine.close()
    context.recover(id, error)
  }

  /// Starts or stops the recording of the instance's events, which begins with the work under way.
  func watch(_ isWatched: Bool = true) {
    guard let engine = instance?.engine else { return }
    engine.setWatched(isWatched)
    engine.wake()
  }

  // MARK: Sleeping

  /// Closes the instance if nothing is at work and all is stored; returns whether it did.
  func sleep() async -> Bool {
    guard let instance else { return false }
    guard await instance.engine.closeIfAtRest({ [log = instance.log] in log.isAtRest }) else {
      return false
    }
    life.withLock { life in
      if case .awake = life { life = .asleep }
      context.alarms.remove(id)
    }
    context.traces?.add(.asleep, of: id)
    return true
  }

  // MARK: Ending

  func close(_ end: SessionEnd) {
    discard(as: .over, isOver: true)
    feed.end(end)
  }

  /// Closes the instance, at the end of the service; streams and requests are not told.
  func stop() { discard(as: .over) }

  /// Closes the instance, as another node goes on with the session; followers are told.
  func move() {
    discard(as: .elsewhere)
    context.traces?.add(.moved, of: id)
    feed.move()
  }

  private func discard(as end: Life, isOver: Bool = false) {
    let instance: Instance? = life.withLock { life in
      defer { life = end }
      context.alarms.remove(id)
      if case .awake(let instance) = life { return instance }
      return nil
    }
    instance?.engine.close(isOver: isOver)
  }

  /// The reason why nothing could be submitted to an instance that was closed.
  var submitError: SubmitError {
    life.withLock { life in
      // Another instance may have taken its place by now: the session lives.
      if case .over = life { .ended } else { .asleep }
    }
  }

  // MARK: Alarms

  func changed(_ alarms: [AlarmChange], of log: CommitLog) {
    guard let last = alarms.last else { return }
    var hasRung = false
    for change in alarms {
      if case .rang = change.kind { hasRung = true }
      if let event = SessionEvent(id, change) { context.report(event) }
    }
    life.withLock { life in
      // The instance may have been discarded meanwhile; one that follows it has alarms of its own.
      guard case .awake(let instance) = life, instance.log === log else { return }
      use.setHasAlarm(last.isAnySet, time.now)
      context.alarms.set(last.next.map { WallTime(milliseconds: $0) }, of: id, hasRung: hasRung)
    }
  }

  // MARK: Use

  /// Marks the session as used by a stream or a waiting request: until ``endUse()`` it is not idle.
  package func beginUse() {
    use.begin()
  }

  package func endUse() {
    use.end(time.now)
  }

  func setAtWork(_ isAtWork: Bool) {
    use.setAtWork(isAtWork, time.now)
  }
}

/// The running part of a session that is awake: its engine, and the log that commits the engine's results.
///
/// When the store fails, the instance is discarded, and another begins with what the store has.
struct Instance: Sendable {
  let engine: Engine
  let log: CommitLog

  /// - Throws: An error if the parameters, or the State to go on from, are not valid.
  init(
    _ viewModel: HostedViewModel,
    _ start: HostedViewModel.Start,
    _ log: CommitLog,
    _ identity: String?,
    _ context: SessionContext
  ) throws {
    self.log = log
    var dependencies = context.dependencies
    dependencies.sessionID = log.id.description
    dependencies.identity = identity
    dependencies.interceptors = dependencies.interceptors.map {
      $0.following(session: log.id.redacted)
    }
    engine = try viewModel.open(
      start,
      HostedViewModel.Opening(
        mailboxLimit: context.limits.queuedInputs,
        dependencies: dependencies,
        committer: log,
        isRecorded: context.store != nil,
        isWatchable: context.traces != nil,
        stateLimit: context.limits.state,
        dropsMembers: context.limits.dropsMembers,
        alarms: log.alarms,
        invalid: log.report,
        dropped: { [id = log.id] in context.report(.dropped(id, viewModel: viewModel.name, $0)) }
      )
    )
  }
}
