import FusionSessions
import FusionStoreDoubles
import Synchronization

/// A node's connection to the shared store, which may be slow, lossy or cut; it keeps the order of requests,
/// and reports every loss.
final class NodeStore: SharedSessionStore, @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  private unowned let world: ClusterWorld
  private let store: SharedMemoryStore
  private let scheduler: Scheduler
  /// Whether the connection is cut.
  var isCut = false
  /// The maximum delay of a message in one direction.
  private let delay: Duration
  private var isDead = false
  private var arrivals: [Lane: Duration] = [:]
  private var waiting: [Int: () -> Void] = [:]
  private var asked = 0
  /// Passes an answer on once its process runs.
  var deliver: (@escaping () -> Void) -> Void = { $0() }

  /// A connection, whose requests arrive in order.
  private enum Lane { case lease, sessions }

  init(_ world: ClusterWorld, name: String) {
    self.world = world
    scheduler = world.scheduler
    store = SharedMemoryStore(world.memory, name: name, address: "http://\(name)")
    delay = .microseconds(100 + world.scheduler.below(20_000))
  }

  private func plants(_ fault: ClusterFault) -> Bool { world.planted.contains(fault) }

  /// Sends a request.
  ///
  /// `run` performs it in the store, and returns the callback with the answer. If a message is lost, `fail` or
  /// `inDoubt` is called instead.
  private func ask(
    _ lane: Lane,
    fail: @escaping (StoreError) -> Void,
    inDoubt: @escaping () -> Void,
    run: @escaping () -> () -> Void
  ) {
    scheduler.checkThread()
    guard !isDead else { return fail(.closed) }
    let lost = { fail(.unreachable("lost")) }
    asked += 1
    let number = asked
    waiting[number] = { fail(.closed) }
    let answer = { [self] (body: @escaping () -> Void) in
      _ = scheduler.after(scheduler.duration(upTo: delay)) { [self] in
        deliver { [self] in
          guard waiting.removeValue(forKey: number) != nil else { return }
          body()
        }
      }
    }
    let isLost = world.isUnruly && scheduler.chance(world.lossRate)
    let isAnswerLost = world.isUnruly && scheduler.chance(world.lossRate)
    if isAnswerLost, scheduler.chance(30) {
      // The connection breaks: the sender learns of it long before the request arrives.
      answer(inDoubt)
      scheduler.after(scheduler.duration(upTo: .seconds(3))) { _ = run() }
      return
    }
    let arrival = max(
      arrivals[lane, default: .zero] + .microseconds(1),
      scheduler.now + scheduler.duration(upTo: delay)
    )
    arrivals[lane] = arrival
    scheduler.at(arrival) { [self] in
      guard !isCut, !isLost, !isDead || scheduler.chance(60) else { return answer(lost) }
      let told = run()
      answer(isAnswerLost || isCut ? inDoubt : told)
    }
  }

  private func ask<Found: Sendable>(
    _ lane: Lane,
    _ done: @escaping StoreAnswer<Found>,
    _ run: @escaping (@escaping StoreAnswer<Found>) -> Void
  ) {
    let fail = { (error: StoreError) in done(.failure(error)) }
    ask(lane, fail: fail, inDoubt: { fail(.unreachable("lost")) }) {
      let result = Mutex<Result<Found, StoreError>>(.failure(.closed))
      run { found in result.withLock { $0 = found } }
      let found = result.withLock { $0 }
      return { done(found) }
    }
  }

  /// Ends the process without an answer to any request.
  func die() {
    isDead = true
    let all = waiting.sorted { $0.key < $1.key }
    waiting = [:]
    for (_, close) in all { close() }
  }

  /// Ends the process in order: its sessions are released.
  func close() {
    if !isDead { store.close() }
  }

  func inventory() throws(StoreError) -> StoreInventory { try store.inventory() }

  // MARK: The lease

  func join(_ done: @escaping StoreAnswer<Node>) {
    let adopt = { @Sendable [store] (result: Result<Node, StoreError>) in
      if case .success(let node) = result { store.adopt(node) }
      done(result)
    }
    // A delayed request ends the lease that it names, not one granted since.
    let before = store.number
    ask(.lease, adopt) { [store] in $0(.success(store.enter(after: before))) }
  }

  func renew(_ done: @escaping StoreAnswer<Bool>) {
    if plants(.endlessLease) { return done(.success(true)) }
    ask(.lease, done, store.renew)
  }

  func nodes(_ done: @escaping StoreAnswer<[NodeStatus]>) {
    ask(.lease, done, store.nodes)
  }

  // MARK: Sessions

  func acquire(_ id: SessionID, _ done: @escaping StoreAnswer<Acquisition>) {
    let number = store.number
    let fail = { (error: StoreError) in done(.failure(error)) }
    ask(.sessions, fail: fail, inDoubt: { fail(.unreachable("lost")) }) { [self] in
      if plants(.stolenSession) { world.memory.free(id) }
      let (result, epoch) = store.grant(id, to: number)
      return { [self] in
        store.adopt(epoch, of: id, as: number)
        done(result.map(spoiled))
      }
    }
  }

  private func spoiled(_ acquisition: Acquisition) -> Acquisition {
    guard case .acquired(var session) = acquisition else { return acquisition }
    if plants(.forgottenKeys) {
      session.keys = []
      for index in session.entries.indices { session.entries[index].key = nil }
    }
    if plants(.forgottenMessages) { session.loseMessages() }
    if plants(.forgottenReplies) { session.loseReplies() }
    if plants(.forgottenSenders) { session.forgetSenders() }
    if plants(.reversedMessages) { session.reverseMessages() }
    if plants(.staleAcquisition) { session.entries.removeLast(min(2, session.entries.count)) }
    return .acquired(session)
  }

  func load(_ id: SessionID, _ done: @escaping StoreAnswer<StoredSession?>) {
    ask(.sessions, done) { [self] in store.load(id, $0) }
  }

  func find(_ name: SessionName, _ done: @escaping StoreAnswer<SessionID?>) {
    ask(.sessions, done) { [self] in store.find(name, $0) }
  }

  func shares(_ query: ShareQuery, _ done: @escaping StoreAnswer<[StoredShare]>) {
    ask(.sessions, done) { [self] in store.shares(query, $0) }
  }

  func interrupted(after number: Int64, _ done: @escaping StoreAnswer<InterruptedSessions>) {
    ask(.sessions, done) { [self] in store.interrupted(after: number, $0) }
  }

  func alarms(
    dueBy time: WallTime,
    after last: DueAlarms.Item?,
    _ done: @escaping StoreAnswer<DueAlarms>
  ) {
    ask(.sessions, done) { [self] in store.alarms(dueBy: time, after: last, $0) }
  }

  func expire(unusedFor idleTime: Duration, limit: Int, _ done: @escaping StoreAnswer<Int>) {
    ask(.sessions, done) { [self] in store.expire(unusedFor: idleTime, limit: limit, $0) }
  }

  func release(_ idle: [SessionID: Duration], _ done: @escaping StoreCompletion) {
    let fence = store.fence(of: idle.keys)
    let release = { [self, store] (fence: SharedMemoryStore.Fence) in
      change(done) { store.release(idle, under: fence, $0) }
    }
    if fence.isComplete(for: idle.keys) { return release(fence) }
    ask(.sessions, fail: { done($0) }, inDoubt: { done(.unreachable("lost")) }) { [store] in
      let fence = store.completed(fence, for: idle.keys)
      return { release(fence) }
    }
  }

  func commit(_ change: StoreChange, _ done: @escaping StoreCompletion) {
    let fence = store.fence(of: change.sessions)
    var done = done
    if plants(.earlyAcknowledgement), case .append = change {
      done(nil)
      done = { _ in }
    }
    self.change(done) { [self] done in
      if plants(.noFence), case .append = change {
        world.memory.sessions.commit(change.unfenced(in: world.memory), done)
      } else {
        store.commit(change, under: fence, done)
      }
    }
  }

  private func change(
    _ done: @escaping StoreCompletion,
    _ run: @escaping (@escaping StoreCompletion) -> Void
  ) {
    let doubt: StoreError = plants(.deniedDoubt) ? .unreachable("lost") : .inDoubt
    ask(.sessions, fail: { done($0) }, inDoubt: { done(doubt) }) {
      let result = Mutex<StoreError?>(.closed)
      run { error in result.withLock { $0 = error } }
      let error = result.withLock { $0 }
      return { done(error) }
    }
  }
}

extension StoreChange {
  /// Returns the change with its entries moved after the newest entry.
  fileprivate func unfenced(in memory: SharedMemory) -> StoreChange {
    guard case .append(var append) = self,
      let newest = memory.stored(append.session)?.sequence
    else { return self }
    let offset = newest - append.after
    append.after = newest
    for index in append.entries.indices { append.entries[index].sequence += offset }
    append.head = nil
    return .append(append)
  }
}
