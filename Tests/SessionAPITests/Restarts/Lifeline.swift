import FusionSessions
import FusionStoreDoubles
import Synchronization

/// A process's connection to its store, which can be cut: neither then hears of the other, as if the process
/// was killed.
final class Lifeline: SessionStore {
  private let store: MemorySessionStore
  private let isCut = Mutex(false)
  private let failure = Mutex<StoreError?>(nil)
  private let held = Mutex<[@Sendable () -> Void]?>(nil)
  private let outdated = Mutex<(found: SessionID, times: Int)?>(nil)

  init(_ store: MemorySessionStore) {
    self.store = store
  }

  func cut() {
    isCut.withLock { $0 = true }
  }

  /// Refuses all changes from here on with an error; nil takes them again.
  func fail(_ error: StoreError?) {
    failure.withLock { $0 = error }
  }

  /// Holds changes back from here on.
  func hold() {
    held.withLock { $0 = [] }
  }

  /// Commits the changes that were held back, and holds no more.
  func release() {
    let waiting = held.withLock { held in
      defer { held = nil }
      return held ?? []
    }
    for commit in waiting { commit() }
  }

  /// Finds a session by any name for some times, as if it ended only after the store had looked.
  func find(_ session: SessionID, times: Int) {
    outdated.withLock { $0 = (session, times) }
  }

  func inventory() throws(StoreError) -> StoreInventory {
    try store.inventory()
  }

  func load(
    _ id: SessionID,
    _ done: @escaping @Sendable (Result<StoredSession?, StoreError>) -> Void
  ) {
    if !isCut.withLock({ $0 }) { store.load(id, done) }
  }

  func find(
    _ name: SessionName,
    _ done: @escaping @Sendable (Result<SessionID?, StoreError>) -> Void
  ) {
    guard !isCut.withLock({ $0 }) else { return }
    let found = outdated.withLock { outdated -> SessionID? in
      guard let (found, times) = outdated else { return nil }
      outdated = times > 1 ? (found, times - 1) : nil
      return found
    }
    if let found { done(.success(found)) } else { store.find(name, done) }
  }

  func shares(_ query: ShareQuery, _ done: @escaping StoreAnswer<[StoredShare]>) {
    if !isCut.withLock({ $0 }) { store.shares(query, done) }
  }

  func interrupted(
    after number: Int64,
    _ done: @escaping @Sendable (Result<InterruptedSessions, StoreError>) -> Void
  ) {
    if !isCut.withLock({ $0 }) { store.interrupted(after: number, done) }
  }

  func alarms(
    dueBy time: WallTime,
    after last: DueAlarms.Item?,
    _ done: @escaping @Sendable (Result<DueAlarms, StoreError>) -> Void
  ) {
    if !isCut.withLock({ $0 }) { store.alarms(dueBy: time, after: last, done) }
  }

  func commit(_ change: StoreChange, _ done: @escaping @Sendable (StoreError?) -> Void) {
    guard !isCut.withLock({ $0 }) else { return }
    let isHeld = held.withLock { held in
      held?.append { [store] in store.commit(change, done) }
      return held != nil
    }
    if isHeld { return }
    if let failure = failure.withLock({ $0 }) { done(failure) } else { store.commit(change, done) }
  }

  /// The store outlives the process.
  func close() {}
}
