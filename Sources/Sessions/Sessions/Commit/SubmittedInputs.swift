import Synchronization
package import UIFusionKit

/// An observer that is told of the progress of Inputs, in order; it must neither wait nor submit any.
package protocol InputObserver: AnyObject, Sendable {
  func didProgress(to progress: SubmittedInputs.Progress, of inputs: SubmittedInputs)
}

/// The Inputs of one request on their way through a session: their progress, and the requests that wait for it.
///
/// Repetitions under the same key wait for the same Inputs.
package final class SubmittedInputs: BatchOwner {
  /// The progress of Inputs, with what the session shows at that moment.
  package enum Progress: Sendable {
    /// The last Input has done what it does before it first suspends.
    case processed(Snapshot, isSettled: Bool)
    /// The work that these Inputs started has ended. Follows an unsettled `processed`.
    case settled(Snapshot)
    /// The store failed before these Inputs had settled, and the work that they started is lost. Follows an
    /// unsettled `processed`.
    case interrupted
    /// The condition was not met; nothing was done.
    case refused(Snapshot)
    /// An Input was denied, or its turn rolled back, and the Inputs after it were not processed; in a batch, `at` is
    /// its index.
    case rejected(TurnRejection, at: Int?)
    /// The Inputs will not be processed: a request that joined them submits its own; told in the pool.
    case withdrawn
    /// The session ended before these Inputs had settled. Follows an unsettled `processed`.
    case abandoned
    /// The session ended before the last of these Inputs was processed.
    case ended
    /// The Inputs could not be committed; unless the error is ``StoreError/inDoubt``, nothing was applied.
    case failed(StoreError)
  }

  private enum Stage {
    case waiting
    case processed
    case settled
    case over(Progress)
  }

  private struct State {
    var stage = Stage.waiting
    /// The observers; empty once there is nothing more to tell them.
    var observers: Observers
    var answer: KeyProgress.Answer
    /// The number of the Inputs that an earlier request had processed.
    var earlier = 0
    /// Whether the last Input's entry is made, and so its answer is decided.
    var isRecorded = false
    /// The number of Inputs that are committed.
    var committed = 0
    /// Whether an entry may or may not be committed.
    var isInDoubt = false
  }

  /// The observers of the Inputs.
  private struct Observers {
    /// The observer of the request that submitted the Inputs.
    var first: (any InputObserver)?
    /// The observers of its repetitions.
    var joined: [any InputObserver] = []
  }

  private let session: any CommitLogOwner
  private let log: CommitLog
  package let origin: InputOrigin?
  package var isMessage: Bool { key.map { KeyProgress.isMessage($0.name) } ?? false }
  private let key: RequestKey?
  private let condition: (@Sendable (_ version: Int) -> Bool)?
  private let state: Mutex<State>

  init(
    _ session: any CommitLogOwner,
    _ log: CommitLog,
    _ origin: InputOrigin?,
    _ key: RequestKey?,
    _ condition: (@Sendable (_ version: Int) -> Bool)?,
    _ answer: KeyProgress.Answer,
    _ observer: (any InputObserver)?
  ) {
    self.session = session
    self.log = log
    self.origin = origin
    self.key = key
    self.condition = condition
    state = Mutex(State(observers: Observers(first: observer), answer: answer))
  }

  // MARK: For requests

  /// The pool of tasks, for long work.
  package var pool: (any TaskExecutor)? { session.context.dependencies.executor }

  /// The form of the answer to the first request.
  package var answer: KeyProgress.Answer { state.withLock { $0.answer } }

  /// Whether the request goes on with a batch that an earlier request began; true for its repetitions, too.
  package var isContinued: Bool { state.withLock { $0.earlier > 0 } }

  /// The number of the key's Inputs that are processed once these are; nil unless they are a part of a stream.
  package var end: Int? { key?.part?.upperBound }

  /// The number of the key's Inputs that are committed; without a key, of these.
  package var committedCount: Int {
    (key?.part?.lowerBound ?? 0) + state.withLock { max($0.committed, $0.earlier) }
  }

  func resume(after processed: Int) {
    state.withLock { $0.earlier = processed }
  }

  /// Adds a repetition's observer, and tells it at once of the progress so far.
  package func observe(_ observer: any InputObserver) {
    let stage = state.withLock { state in
      switch state.stage {
      case .waiting, .processed: state.observers.joined.append(observer)
      case .settled, .over: break
      }
      return state.stage
    }
    switch stage {
    case .waiting: break
    case .processed:
      session.current.map { observer.didProgress(to: .processed($0, isSettled: false), of: self) }
    case .settled:
      session.current.map { observer.didProgress(to: .processed($0, isSettled: true), of: self) }
    case .over(let progress): observer.didProgress(to: progress, of: self)
    }
  }

  /// Notes that the first request is answered before its Inputs are processed; false if they are processed already,
  /// even if not stored yet.
  package func answerAsQueued() -> Bool {
    state.withLock { state in
      guard !state.isRecorded else { return false }
      state.answer = .queued
      return true
    }
  }

  /// Tells the requests that have joined that the Inputs were not accepted; their own request knows.
  func reject() {
    releaseJoined(close(.withdrawn).joined)
  }

  // MARK: For the commit log

  package var isKeyed: Bool { key != nil }

  package func mayBegin(at version: Int) -> Bool { condition?(version) ?? true }

  /// Returns the progress once a number of Inputs is processed; nil without a key.
  func keyProgress(_ processed: Int, of count: Int, version: Int, time: WallTime) -> KeyProgress? {
    guard let key else { return nil }
    let answer = state.withLock { state in
      if processed == count { state.isRecorded = true }
      return state.answer
    }
    let earlier = key.part?.lowerBound ?? 0
    return KeyProgress(
      key: key.name,
      digest: key.digest,
      answer: answer,
      processed: earlier + processed,
      count: earlier + count,
      version: version,
      time: time
    )
  }

  /// Notes that a number of Inputs is committed.
  func committed(_ processed: Int, of count: Int, version: Int) {
    state.withLock { $0.committed = processed }
    guard isKeyed,
      let progress = keyProgress(processed, of: count, version: version, time: session.now)
    else { return }
    session.advance(progress, by: self)
  }

  /// Notes that one of the Inputs may or may not be stored.
  func markInDoubt() {
    state.withLock { $0.isInDoubt = true }
  }

  package func didProgress(to progress: InputBatch.Progress) {
    switch progress {
    case .processed(let isSettled):
      let observers = enter(isSettled ? .settled : .processed)
      if let snapshot = session.current {
        tell(observers, .processed(snapshot, isSettled: isSettled))
      }
      session.endUse()
      if isSettled { finish() }
    case .settled:
      let observers = enter(.settled)
      if let snapshot = session.current { tell(observers, .settled(snapshot)) }
      finish()
    case .refused:
      session.endUse()
      session.current.map { refuse(.refused($0)) }
    case .rejected(let rejection, let index):
      session.endUse()
      refuse(.rejected(rejection, at: index))
    case .abandoned, .closed:
      endAfterClose()
    }
  }

  /// The store's failure as the sender is told it, which says that nothing was applied only where that is true.
  private var failure: StoreError? {
    guard let error = log.failure else { return nil }
    let isInDoubt = state.withLock { $0.isInDoubt || $0.committed > 0 }
    if isInDoubt { return .inDoubt }
    return error == .inDoubt ? .unreachable("the session was lost") : error
  }

  /// Ends the Inputs as the engine was closed.
  ///
  /// Called twice where an answer was on its way: by the engine, and by the log that will never release the answer.
  private func endAfterClose() {
    switch state.withLock({ $0.stage }) {
    case .waiting:
      session.endUse()
      end(failure.map { .failed($0) } ?? .ended)
    case .processed: end(log.failure == nil ? .abandoned : .interrupted)
    case .settled, .over: break
    }
  }

  /// Enters a stage; returns the observers that are to be told of it.
  ///
  /// Once settled, no request is told anything more.
  private func enter(_ stage: Stage) -> Observers {
    state.withLock { state in
      state.stage = stage
      defer { if case .processed = stage {} else { state.observers = Observers() } }
      return state.observers
    }
  }

  private func tell(_ observers: Observers, _ progress: Progress) {
    observers.first?.didProgress(to: progress, of: self)
    for observer in observers.joined { observer.didProgress(to: progress, of: self) }
  }

  private func end(_ progress: Progress) {
    tell(close(progress), progress)
  }

  /// Tells the first request why it was refused; the others submit their own Inputs.
  private func refuse(_ progress: Progress) {
    let observers = close(.withdrawn)
    observers.first?.didProgress(to: progress, of: self)
    releaseJoined(observers.joined)
  }

  /// Submits the Inputs of the requests that have joined: in the pool, in their order.
  private func releaseJoined(_ joined: [any InputObserver]) {
    guard !joined.isEmpty else { return }
    Task.detached(executorPreference: pool) { [self] in
      for observer in joined { observer.didProgress(to: .withdrawn, of: self) }
    }
  }

  /// Ends the Inputs; returns the observers to be told.
  ///
  /// The key is free before the observers are told, unless some Inputs are processed.
  private func close(_ progress: Progress) -> Observers {
    finish()
    return enter(.over(progress))
  }

  /// Notes that no request works under the key any more.
  private func finish() {
    if let key { session.finish(key.name, by: self) }
  }
}
