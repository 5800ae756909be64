import Synchronization
import UIFusionKit

/// The log of a session: commits the results of its turns, and then releases them.
///
/// The rule that everything rests on: nothing is seen, and nothing starts, before it is stored.
/// ``commit(_:)`` and ``release(_:)`` are that rule; every turn of every pattern passes through them,
/// with a store or without.
final class CommitLog: TurnCommitter {
  // Strong: the session lets go of its log when it sleeps and when it is over. Each session has a log, so the log keeps
  // nothing that the session has.
  private let session: any CommitLogOwner
  private let queue: Mutex<CommitQueue>
  private let full = Atomic(false)
  private let stored: StoredPosition?

  /// Creates the log of a new session, or one that goes on at a stored position.
  ///
  /// The session learns once that the store has failed, before callers that wait for an answer.
  init(of session: any CommitLogOwner, from position: StoredPosition?) {
    self.session = session
    stored = position
    queue = Mutex(CommitQueue(after: position, byteLimit: session.context.limits.unstoredBytes))
  }

  var id: SessionID { session.id }
  private var context: SessionContext { session.context }
  private var feed: SnapshotFeed { session.feed }
  private var viewModel: HostedViewModel { session.viewModel }

  /// The alarms that are stored.
  var alarms: [Alarm] {
    stored?.alarms.map {
      Alarm(AlarmName(bytes: $0.name), at: $0.time.milliseconds, stored: $0.action)
    } ?? []
  }

  /// The failure after which nothing is stored any more; nil while the log works.
  var failure: StoreError? { queue.withLock { $0.failure } }

  /// The newest State, and the number of the newest entry, stored or not.
  var base: CommitQueue.Base? { queue.withLock { $0.base } }

  // MARK: The rule

  /// Hands over a turn's entry, and releases what needs no entry; called on the engine.
  func commit(_ result: consuming TurnResult) {
    let base = base
    var snapshot: Snapshot?
    if let state = result.state as? EncodedState {
      snapshot = Snapshot(version: result.version, state, after: base?.snapshot)
    }
    let entry = makeEntry(result, snapshot, after: base)
    let sequence = entry?.sequence ?? base?.sequence
    let waiting = CommitQueue.Waiting(consume result, snapshot, behind: sequence)
    let step = queue.withLock { queue in
      defer { if queue.isFull { full.store(true, ordering: .relaxed) } }
      return queue.add(waiting, entry, format: viewModel.format, of: id)
    }
    switch step {
    case .release: release(waiting)
    case .store(let append): handOver(append)
    case .wait: break
    case .withdraw: waiting.result.withdraw()
    }
  }

  /// Releases committed results in order, on one thread at a time: notes the key's progress, shows State to streams,
  /// answers senders, and then starts the work that the turn asks for.
  private func release(_ first: CommitQueue.Waiting?) {
    var next = first
    while let waiting = next {
      if let (batch, processed) = waiting.result.progress {
        (batch.owner as? SubmittedInputs)?
          .committed(processed, of: batch.count, version: waiting.result.version)
      }
      feed.show(waiting.snapshot, isSettled: waiting.result.isSettled)
      if let isSettled = waiting.result.isSettled { session.setAtWork(!isSettled) }
      let alarms = waiting.result.alarms
      if !alarms.isEmpty { session.changed(alarms, of: self) }
      let notes = waiting.result.notes
      if !notes.isEmpty { context.traces?.add(notes, waiting.result.version, of: id) }
      waiting.result.release()
      next = queue.withLock { $0.nextRelease() }
      if full.load(ordering: .relaxed) { reopen(after: waiting.result) }
    }
  }

  var actionCoding: ActionCoding? { viewModel.actionCoding }

  var sequence: Int { base?.sequence ?? 0 }

  var deliverMessage: DeliveryFunction {
    { [connection = context.connection, id, identity = session.identity] message, receiver in
      guard !message.isForeign || !message.address.isOwn else { return .refused(nil) }
      let envelope = Envelope(
        message: message,
        sender: id,
        identity: message.isForeign ? nil : identity,
        receiver: receiver.flatMap { SessionID($0) }
      )
      return await connection.deliver(envelope)
    }
  }

  var followSession: FollowingFunction {
    { [connection = context.connection, id, identity = session.identity] address, isForeign, show in
      guard !isForeign || !address.isOwn else { return await show(.ended) }
      let identity = isForeign ? nil : identity
      let wish = FollowWish(address: address, follower: id, identity: identity)
      await connection.follow(wish, show)
    }
  }

  /// Reports a State, or an alarm, that is not allowed.
  func report(_ invalid: InvalidState) { context.report(.invalid(id, invalid)) }

  var storesTurns: Bool { context.store != nil }

  var reportsInputs: Bool { context.inputReport != nil }

  func report(_ input: InputRecord) { context.inputReport?(id, input) }

  var slowTurn: Duration? { context.limits.slowTurn }

  func report(_ slow: SlowTurn) { context.report(.slowTurn(id, viewModel: viewModel.name, slow)) }
  var runNote: RunNote { context.runNote(of: id, viewModel) }

  // MARK: Storing

  /// Shows the State that the session begins with; a State that differs from the stored one is stored first.
  func begin(with state: any RenderedState, version: Int) {
    guard let state = state as? EncodedState else { return }
    // Streams that go on from another instance's State have not seen its newest Pulses.
    let snapshot = Snapshot(version: version, state, after: feed.current.snapshot)
    if let stored, stored.version != version {
      let before = Snapshot(version: stored.version, state: stored.state)
      queue.withLock { $0.begin(before, format: stored.format, running: stored.running) }
      // What was interrupted stays so until the view model has been told.
      commit(TurnResult(state: state, version: version, running: stored.running))
    } else {
      // A new session's State is kept as it is created.
      let lastFullState = stored == nil ? (sequence: 0, time: context.clock.now) : nil
      queue.withLock {
        $0.begin(
          snapshot,
          format: stored?.format ?? viewModel.format,
          running: stored?.running ?? [],
          lastFullState: lastFullState
        )
      }
      feed.show(snapshot)
    }
  }

  /// Returns a turn's entry; nil if nothing is to be stored.
  private func makeEntry(
    _ result: borrowing TurnResult,
    _ snapshot: Snapshot?,
    after base: CommitQueue.Base?
  ) -> LogEntry? {
    guard context.store != nil, result.isStored, let base else { return nil }
    let time = context.clock.now
    var key: KeyProgress?
    if let (batch, processed) = result.progress {
      key = (batch.owner as? SubmittedInputs)?
        .keyProgress(processed, of: batch.count, version: result.version, time: time)
    }
    var trace = result.trace
    // The view model was created anew: what the last one kept beside its State is lost.
    if let stored, base.sequence == stored.sequence {
      trace = FormatChange.note(from: stored.format, to: viewModel.format) + trace
    }
    let outcome: LogEntry.Outcome =
      switch snapshot {
      case nil: .unchanged
      case let snapshot?
      where snapshot.stored.count < HostedViewModel.Patches.least
        || context.limits.keepsVersions && base.needsFullState(at: time):
        .state(snapshot.stored.bytes)
      case let snapshot?: patch(from: base.snapshot, to: snapshot)
      }
    let names: RunningNames =
      if case .state = outcome {
        .all(result.running)
      } else {
        RunningNames(result.running, after: base.running)
      }
    return LogEntry(
      sequence: base.sequence + 1,
      version: result.version,
      time: time,
      outcome: outcome,
      running: names,
      trace: trace,
      key: key
    )
  }

  /// Returns the patch that turns one State into another; the State in whole where no patch is shorter.
  private func patch(from old: Snapshot, to new: Snapshot) -> LogEntry.Outcome {
    guard let patch = viewModel.patches.make(old.stored, new.stored) else {
      return .state(new.stored.bytes)
    }
    // Streams send the same patch if they show what is stored. They may send one that is too long for the log.
    if old.isShownAsStored, new.isShownAsStored {
      _ = new.patch(from: old.version) { patch }
    }
    return .patch(patch)
  }

  /// Stores the State in whole; returns false if the newest entry has it already, or other entries wait.
  @discardableResult
  func storeHead(_ stored: (@Sendable () -> Void)? = nil) -> Bool {
    guard let append = queue.withLock({ $0.headAppend(id) }) else { return false }
    handOver(append, stored)
    return true
  }

  /// Hands an append to the store, one at a time: what is committed meanwhile is handed over together when this one is
  /// stored.
  private func handOver(_ append: StoreChange.Append, _ done: (@Sendable () -> Void)? = nil) {
    context.store?.commit(.append(append)) { [self] error in
      defer { done?() }
      if let error { return failed(append, error) }
      release(queue.withLock { $0.store(append) })
      if let next = queue.withLock({ $0.nextAppend(id) }) { handOver(next) }
    }
  }

  private func failed(_ append: StoreChange.Append, _ error: StoreError) {
    guard append.entries.isEmpty else { return fail(error) }
    queue.withLock { $0.headFailed() }
    if let next = queue.withLock({ $0.nextAppend(id) }) { handOver(next) }
  }

  // MARK: Backlog and failure

  /// Whether all that was committed is stored and released.
  var isAtRest: Bool { queue.withLock { $0.isAtRest } }

  /// Whether the backlog is so long that no more turns are taken.
  var isFull: Bool { full.load(ordering: .relaxed) }

  private func reopen(after result: borrowing TurnResult) {
    let isOpen = queue.withLock { queue in
      if !queue.isFull { full.store(false, ordering: .relaxed) }
      return !queue.isFull
    }
    if isOpen { result.resume() }
  }

  /// Ends the log for another reason than the store's answer: what was handed over may still be committed.
  func abandon(_ error: StoreError) {
    fail(error, isSentInDoubt: true)
  }

  /// Ends the log: nothing that is not stored is ever seen.
  private func fail(_ error: StoreError, isSentInDoubt: Bool = false) {
    let isInDoubt = error == .inDoubt || isSentInDoubt
    // An entry that was never handed over was surely not stored.
    let lost = queue.withLock { queue in
      queue.fail(error) { waiting in
        guard isInDoubt else { return }
        (waiting.result.progress?.batch.owner as? SubmittedInputs)?.markInDoubt()
      }
    }
    guard let lost else { return }
    session.lose(error, of: self)
    for waiting in lost { waiting.result.withdraw() }
  }
}
