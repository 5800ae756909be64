package import FusionSessions
import Synchronization

/// A node's connection to a shared store, which can be cut: then each request fails, and nothing arrives, as after the
/// node's `kill -9`.
package final class SeverableStore: SharedSessionStore {
  private let store: SharedMemoryStore
  private let isCut = Mutex(false)
  private let damaged = Mutex<Set<SessionID>>([])
  private let isDoubtful = Mutex(false)
  private let held = Mutex<[@Sendable () -> Void]?>(nil)
  private let renewals = Mutex<[@Sendable () -> Void]?>(nil)
  private let joins = Mutex<[@Sendable () -> Void]?>(nil)

  package init(_ memory: SharedMemory, name: String, address: String) {
    store = SharedMemoryStore(memory, name: name, address: address)
  }

  package func cut() { isCut.withLock { $0 = true } }

  package func mend() {
    isCut.withLock { $0 = false }
    isDoubtful.withLock { $0 = false }
  }

  /// Loses the answers to changes until the connection is mended; the changes arrive.
  package func loseAnswers() { isDoubtful.withLock { $0 = true } }

  /// Makes a session unreadable from this node.
  package func damage(_ id: SessionID) { damaged.withLock { _ = $0.insert(id) } }

  /// Holds changes in flight until ``release()``.
  package func hold() { held.withLock { $0 = [] } }

  /// Delivers the held changes.
  package func release() {
    let changes = held.withLock { held in
      defer { held = nil }
      return held ?? []
    }
    for change in changes { change() }
  }

  /// Holds the answers to renewals of the lease until ``answerRenewals()``.
  package func holdRenewals() { renewals.withLock { $0 = [] } }

  package func answerRenewals() {
    let answers = renewals.withLock { renewals in
      defer { renewals = nil }
      return renewals ?? []
    }
    for answer in answers { answer() }
  }

  /// Holds the answers to joins until ``answerJoins()``.
  package func holdJoins() { joins.withLock { $0 = [] } }

  package func answerJoins() {
    let answers = joins.withLock { joins in
      defer { joins = nil }
      return joins ?? []
    }
    for answer in answers { answer() }
  }

  private func ask<Found>(
    _ done: @escaping StoreAnswer<Found>,
    _ ask: (@escaping StoreAnswer<Found>) -> Void
  ) {
    if isCut.withLock({ $0 }) { done(.failure(.unreachable("cut"))) } else { ask(done) }
  }

  package func join(_ done: @escaping StoreAnswer<Node>) {
    ask(done) { done in
      store.join { [self] result in
        let isHeld = joins.withLock { joins in
          joins?.append { done(result) }
          return joins != nil
        }
        if !isHeld { done(result) }
      }
    }
  }

  package func renew(_ done: @escaping StoreAnswer<Bool>) {
    ask(done) { done in
      store.renew { [self] result in
        let isHeld = renewals.withLock { renewals in
          renewals?.append { done(result) }
          return renewals != nil
        }
        if !isHeld { done(result) }
      }
    }
  }

  package func nodes(_ done: @escaping StoreAnswer<[NodeStatus]>) {
    ask(done, store.nodes)
  }

  package func acquire(_ id: SessionID, _ done: @escaping StoreAnswer<Acquisition>) {
    let isDamaged = damaged.withLock { $0.contains(id) }
    ask(done) { done in
      store.acquire(id) { done(isDamaged ? .failure(.damaged("a page is torn")) : $0) }
    }
  }

  package func load(_ id: SessionID, _ done: @escaping StoreAnswer<StoredSession?>) {
    ask(done) { store.load(id, $0) }
  }

  package func find(_ name: SessionName, _ done: @escaping StoreAnswer<SessionID?>) {
    ask(done) { store.find(name, $0) }
  }

  package func shares(_ query: ShareQuery, _ done: @escaping StoreAnswer<[StoredShare]>) {
    ask(done) { store.shares(query, $0) }
  }

  package func interrupted(after number: Int64, _ done: @escaping StoreAnswer<InterruptedSessions>)
  {
    ask(done) { store.interrupted(after: number, $0) }
  }

  package func alarms(
    dueBy time: WallTime,
    after last: DueAlarms.Item?,
    _ done: @escaping StoreAnswer<DueAlarms>
  ) {
    ask(done) { store.alarms(dueBy: time, after: last, $0) }
  }

  package func expire(unusedFor idleTime: Duration, limit: Int, _ done: @escaping StoreAnswer<Int>)
  {
    ask(done) { store.expire(unusedFor: idleTime, limit: limit, $0) }
  }

  package func release(_ idle: [SessionID: Duration], _ done: @escaping StoreCompletion) {
    if isCut.withLock({ $0 }) { return done(.unreachable("cut")) }
    store.release(idle, done)
  }

  package func commit(_ change: StoreChange, _ done: @escaping StoreCompletion) {
    if isCut.withLock({ $0 }) { return done(.unreachable("cut")) }
    if isDoubtful.withLock({ $0 }) {
      return store.commit(change) { _ in done(.inDoubt) }
    }
    let fence = store.fence(of: change.sessions)
    let isHeld = held.withLock { held in
      held?.append { [store] in store.commit(change, under: fence, done) }
      return held != nil
    }
    if !isHeld { store.commit(change, under: fence, done) }
  }

  package func inventory() throws(StoreError) -> StoreInventory { try store.inventory() }

  package func close() {
    if !isCut.withLock(\.self) { store.close() }
  }
}
