import FusionSessions
import FusionStoreDoubles
import Synchronization

/// A store that commits when the test says so, or fails.
final class HeldStore: SessionStore {
  private typealias Change = (change: StoreChange, done: StoreCompletion)

  let kept = MemorySessionStore()
  private let held = Mutex<[Change]>([])
  private let isHolding = Mutex(false)
  private let heldAlarms = Mutex<[StoreAnswer<DueAlarms>]?>(nil)
  private let alarmFailure = Mutex<StoreError?>(nil)
  private let damaged = Mutex<Set<SessionID>>([])

  /// Holds changes from now on.
  func hold() { isHolding.withLock { $0 = true } }

  /// The number of waiting changes.
  var waiting: Int { held.withLock { $0.count } }

  /// The waiting changes, in order.
  var changes: [StoreChange] { held.withLock { $0.map(\.change) } }

  func inventory() throws(StoreError) -> StoreInventory { try kept.inventory() }

  func load(_ id: SessionID, _ done: @escaping StoreAnswer<StoredSession?>) {
    guard !damaged.withLock({ $0.contains(id) }) else {
      return done(.failure(.damaged("a page is torn")))
    }
    kept.load(id, done)
  }

  func find(_ name: SessionName, _ done: @escaping StoreAnswer<SessionID?>) {
    kept.find(name, done)
  }

  func shares(_ query: ShareQuery, _ done: @escaping StoreAnswer<[StoredShare]>) {
    kept.shares(query, done)
  }

  func interrupted(after number: Int64, _ done: @escaping StoreAnswer<InterruptedSessions>) {
    kept.interrupted(after: number, done)
  }

  func alarms(
    dueBy time: WallTime,
    after last: DueAlarms.Item?,
    _ done: @escaping StoreAnswer<DueAlarms>
  ) {
    if let failure = alarmFailure.withLock({ $0 }) { return done(.failure(failure)) }
    let isHeld = heldAlarms.withLock { held in
      held?.append(done)
      return held != nil
    }
    if !isHeld { kept.alarms(dueBy: time, after: last, done) }
  }

  /// Holds the answers about due alarms.
  func holdAlarms() { heldAlarms.withLock { $0 = [] } }

  /// Answers the held requests, and holds no more.
  func letGoOfAlarms(_ answer: Result<DueAlarms, StoreError> = .success(DueAlarms())) {
    let waiting = heldAlarms.withLock { held in
      defer { held = nil }
      return held ?? []
    }
    for done in waiting { done(answer) }
  }

  /// Fails to list alarms from now on.
  func failAlarms(_ error: StoreError) { alarmFailure.withLock { $0 = error } }

  /// Makes a session unreadable from now on.
  func damage(_ id: SessionID) { damaged.withLock { _ = $0.insert(id) } }

  /// Makes all damaged sessions readable again.
  func repair() { damaged.withLock { $0 = [] } }

  func commit(_ change: StoreChange, _ done: @escaping StoreCompletion) {
    guard isHolding.withLock({ $0 }) else { return kept.commit(change, done) }
    held.withLock { $0.append((change, done)) }
  }

  func close() { kept.close() }

  /// Commits the waiting changes.
  func release() {
    for (change, done) in takeAll() { kept.commit(change, done) }
  }

  /// Commits the first waiting change.
  func releaseFirst() {
    let first = held.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    if let first { kept.commit(first.change, first.done) }
  }

  /// Commits the waiting changes, and holds no more.
  func letGo() {
    isHolding.withLock { $0 = false }
    release()
  }

  /// Refuses the waiting changes, and holds no more.
  func fail(_ error: StoreError) {
    isHolding.withLock { $0 = false }
    for (_, done) in takeAll() { done(error) }
  }

  /// Commits the waiting changes, but answers that the result is in doubt.
  func loseAnswers() {
    isHolding.withLock { $0 = false }
    for (change, done) in takeAll() { kept.commit(change) { done($0 ?? .inDoubt) } }
  }

  private func takeAll() -> [Change] {
    held.withLock { held in
      defer { held = [] }
      return held
    }
  }

  /// Returns the stored session.
  func stored(_ id: SessionID) -> StoredSession? {
    let stored = Mutex<StoredSession?>(nil)
    kept.load(id) { result in stored.withLock { $0 = try? result.get() } }
    return stored.withLock { $0 }
  }
}
