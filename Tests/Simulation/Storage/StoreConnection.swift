import FusionSessions
import FusionStoreDoubles

/// A process's connection to the store; when the process dies, each request in flight arrives or is lost.
final class StoreConnection: SessionStore, @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  private let store: SimulatedStore
  private let scheduler: Scheduler
  private var requests: [Int: SimulatedStore.Request] = [:]
  private var begun = 0
  private var isDead = false
  /// Runs the jobs that an answer to a dead process has started.
  var afterDeath: () -> Void = {}
  /// Reports sessions that the process is about to expire.
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

  /// Returns a request that has arrived at the store; nil if it was dropped.
  func arrive(_ number: Int) -> (request: SimulatedStore.Request, isLate: Bool)? {
    requests.removeValue(forKey: number).map { ($0, isDead) }
  }

  /// Passes an answer on if the process lives; otherwise `closed` releases the request.
  func answer(_ body: () -> Void, closed: () -> Void) {
    guard isDead else { return body() }
    closed()
    afterDeath()
  }

  /// Delivers all requests in flight now.
  func flush() {
    for (number, request) in requests.sorted(by: { $0.key < $1.key }) {
      requests[number] = nil
      store.run(request, from: self, isLate: false)
    }
  }

  /// Ends the process: the requests from a random one on are lost, and none is answered.
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
