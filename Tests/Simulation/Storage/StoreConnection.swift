import FusionSessions
import FusionStoreDoubles

/// A process's way to the store; what is on its way when the process dies, arrives or does not.
final class StoreConnection: SessionStore, @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  private let store: SimulatedStore
  private let scheduler: Scheduler
  private var requests: [Int: SimulatedStore.Request] = [:]
  private var begun = 0
  private var isDead = false
  /// Runs what an answer to a dead process sets going there.
  var afterDeath: () -> Void = {}
  /// Reports sessions that the process is about to let expire.
  var expiring: ([SessionID]) -> Void = { _ in }

  init(_ store: SimulatedStore, _ scheduler: Scheduler) {
    self.store = store
    self.scheduler = scheduler
  }

  func inventory() throws(StoreError) -> StoreInventory { try store.memory.inventory() }

  func load(_ id: SessionID, _ done: @escaping StoreAnswer<StoredSession?>) {
    if isDead { done(.failure(.closed)) } else { store.take(.load(id, done), from: self) }
  }

  func find(_ name: SessionName, _ done: @escaping StoreAnswer<SessionID?>) {
    if isDead { done(.failure(.closed)) } else { store.take(.find(name, done), from: self) }
  }

  func shares(_ query: ShareQuery, _ done: @escaping StoreAnswer<[StoredShare]>) {
    if isDead { done(.failure(.closed)) } else { store.memory.shares(query, done) }
  }

  func interrupted(after number: Int64, _ done: @escaping StoreAnswer<InterruptedSessions>) {
    if isDead { done(.failure(.closed)) } else { store.take(.interrupted(done), from: self) }
  }

  func alarms(
    dueBy time: WallTime,
    after last: DueAlarms.Item?,
    _ done: @escaping StoreAnswer<DueAlarms>
  ) {
    guard !isDead else { return done(.failure(.closed)) }
    store.take(.alarms(time, after: last, done), from: self)
  }

  func commit(_ change: StoreChange, _ done: @escaping StoreCompletion) {
    guard !isDead else { return done(.closed) }
    if case .end(let ids, .expired, _) = change { expiring(ids) }
    store.take(.commit(change, done), from: self)
  }

  func close() {}

  func begin(_ request: SimulatedStore.Request) -> Int {
    begun += 1
    requests[begun] = request
    return begun
  }

  /// A request, once it has come to the store; nil where it was dropped.
  func arrive(_ number: Int) -> (request: SimulatedStore.Request, isLate: Bool)? {
    requests.removeValue(forKey: number).map { ($0, isDead) }
  }

  /// Passes an answer on, if there still is somebody; `closed` lets a dead one's request go.
  func answer(_ body: () -> Void, closed: () -> Void) {
    guard isDead else { return body() }
    closed()
    afterDeath()
  }

  /// Delivers all that is on its way to the store, now.
  func flush() {
    for (number, request) in requests.sorted(by: { $0.key < $1.key }) {
      requests[number] = nil
      store.run(request, from: self, isLate: false)
    }
  }

  /// The process is dead: what is on its way is lost from some request on, and nobody is told.
  func die() {
    isDead = true
    var isDropping = false
    for (number, request) in requests.sorted(by: { $0.key < $1.key }) {
      isDropping = isDropping || scheduler.chance(40)
      switch request {
      case .load(_, let done):
        requests[number] = nil
        done(.failure(.closed))
      case .find(_, let done):
        requests[number] = nil
        done(.failure(.closed))
      case .interrupted(let done):
        requests[number] = nil
        done(.failure(.closed))
      case .alarms(_, _, let done):
        requests[number] = nil
        done(.failure(.closed))
      case .commit(let change, let done):
        requests[number] = isDropping ? nil : .commit(change) { _ in }
        done(.closed)
      }
    }
  }
}
