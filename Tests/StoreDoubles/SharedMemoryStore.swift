package import FusionSessions
import Synchronization

/// A node's store in a ``SharedMemory``, with the minimal behaviour that every shared store must have.
package final class SharedMemoryStore: SharedSessionStore {
  private struct Own {
    var number: Int64 = 0
    var epochs: [SessionID: Int] = [:]
    var isClosed = false
  }

  /// The node and epochs at the time when a change is submitted, under which it is committed.
  package struct Fence: Sendable {
    fileprivate let number: Int64
    fileprivate var epochs: [SessionID: Int]

    /// Whether the epochs of all sessions are known; after an acquisition in doubt, one is not.
    package func isComplete(for ids: some Sequence<SessionID>) -> Bool {
      ids.allSatisfy { epochs[$0] != nil }
    }
  }

  private let memory: SharedMemory
  private let name: String
  private let address: String
  private let own = Mutex(Own())

  package init(_ memory: SharedMemory, name: String, address: String = "") {
    self.memory = memory
    self.name = name
    self.address = address
  }

  // MARK: The lease

  package func join(_ done: @escaping StoreAnswer<Node>) {
    let node = enter(after: number)
    adopt(node)
    done(.success(node))
  }

  /// Joins in the store, even if the answer is lost later; ends the lease that the node had when it asked.
  package func enter(after before: Int64) -> Node {
    let now = memory.now
    return memory.contents.withLock { contents in
      contents.nodes[before] = nil
      contents.lastNode += 1
      let node = Node(contents.lastNode, name: name, address: address)
      let expires = now + SharedMemory.leaseTime
      contents.nodes[node.number] = .init(node: node, joined: now, expires: expires)
      return node
    }
  }

  /// Adopts the answer to a join once it has arrived.
  package func adopt(_ node: Node) {
    own.withLock { $0 = Own(number: node.number) }
  }

  package func renew(_ done: @escaping StoreAnswer<Bool>) {
    let (number, now) = (own.withLock { $0.number }, memory.now)
    let isGranted = memory.contents.withLock { contents in
      guard contents.isLiving(number, at: now) else { return false }
      contents.nodes[number]?.expires = now + SharedMemory.leaseTime
      return true
    }
    done(.success(isGranted))
  }

  package func nodes(_ done: @escaping StoreAnswer<[NodeStatus]>) {
    let now = memory.now
    let nodes = memory.contents.withLock { contents in
      contents.nodes.values.sorted { $0.node.number < $1.node.number }.map { member in
        NodeStatus(
          member.node,
          joined: WallTime(milliseconds: 0) + member.joined,
          leaseLeft: member.expires - now,
          sessions: contents.holdings.values.count { $0.owner == member.node.number }
        )
      }
    }
    done(.success(nodes))
  }

  // MARK: Sessions

  package func acquire(_ id: SessionID, _ done: @escaping StoreAnswer<Acquisition>) {
    guard !own.withLock({ $0.isClosed }) else { return done(.failure(.closed)) }
    let number = number
    let (result, epoch) = grant(id, to: number)
    adopt(epoch, of: id, as: number)
    done(result)
  }

  /// The node's number as the node knows it.
  package var number: Int64 { own.withLock { $0.number } }

  /// Acquires a session in the store, even if the answer is lost later; returns the new epoch.
  package func grant(
    _ id: SessionID,
    to number: Int64
  ) -> (result: Result<Acquisition, StoreError>, epoch: Int?) {
    let now = memory.now
    return memory.contents.withLock { contents in
      guard var holding = contents.holdings[id] else {
        return (.success(memory.sessions.end(of: id).map { .ended($0) } ?? .unknown), nil)
      }
      guard contents.isLiving(number, at: now) else { return (.failure(.fenced), nil) }
      if let owner = holding.owner, owner != number, let member = contents.nodes[owner],
        member.expires > now
      {
        return (
          .success(
            .elsewhere(
              member.node,
              memory.sessions.stored(id)?.origin ?? SessionOrigin(viewModel: "")
            )
          ), nil
        )
      }
      holding.owner = number
      holding.epoch += 1
      holding.used = now
      contents.holdings[id] = holding
      return (.success(memory.sessions.stored(id).map { .acquired($0) } ?? .unknown), holding.epoch)
    }
  }

  /// Adopts the answer to an acquisition once it has arrived.
  package func adopt(_ epoch: Int?, of id: SessionID, as number: Int64) {
    own.withLock { if let epoch, $0.number == number { $0.epochs[id] = epoch } }
  }

  package func release(_ idle: [SessionID: Duration], _ done: @escaping StoreCompletion) {
    release(idle, under: completed(fence(of: idle.keys), for: idle.keys), done)
  }

  package func release(
    _ idle: [SessionID: Duration],
    under fence: Fence,
    _ done: @escaping StoreCompletion
  ) {
    let now = memory.now
    memory.contents.withLock { contents in
      for (id, idle) in idle where contents.isOwned(id, under: fence) {
        contents.holdings[id]?.owner = nil
        contents.holdings[id]?.used = now - idle
      }
    }
    drop(idle.keys, under: fence)
    done(nil)
  }

  package func expire(
    unusedFor idleTime: Duration,
    limit: Int,
    _ done: @escaping StoreAnswer<Int>
  ) {
    let now = memory.now
    let expired = memory.contents.withLock { contents in
      contents.freeOrphans(memory, at: now)
      let old = contents.holdings.filter {
        $0.value.used <= now - idleTime && $0.value.owner == nil
          && memory.stored($0.key)?.alarms.isEmpty != false
      }
      let expired = Array(old.keys.prefix(limit))
      for id in expired { contents.holdings[id] = nil }
      memory.sessions.commit(.end(expired, .expired, at: memory.time)) { _ in }
      return expired.count
    }
    done(.success(expired))
  }

  // MARK: Changes

  package func inventory() throws(StoreError) -> StoreInventory {
    var inventory = StoreInventory()
    inventory.secret = try memory.sessions.inventory().secret
    return inventory
  }

  package func load(_ id: SessionID, _ done: @escaping StoreAnswer<StoredSession?>) {
    memory.sessions.load(id, done)
  }

  package func find(_ name: SessionName, _ done: @escaping StoreAnswer<SessionID?>) {
    memory.sessions.find(name, done)
  }

  package func shares(_ query: ShareQuery, _ done: @escaping StoreAnswer<[StoredShare]>) {
    memory.sessions.shares(query, done)
  }

  package func crashed(_ done: @escaping StoreAnswer<[CrashedSession]>) {
    memory.sessions.crashed(done)
  }

  package func interrupted(
    after number: Int64,
    _ done: @escaping StoreAnswer<InterruptedSessions>
  ) {
    let now = memory.now
    memory.sessions.interrupted(after: number) { [memory] result in
      done(
        result.map { found in
          var found = found
          memory.contents.withLock { contents in
            contents.freeOrphans(memory, at: now)
            found.sessions.removeAll { contents.holdings[$0.id]?.owner != nil }
          }
          return found
        }
      )
    }
  }

  package func alarms(
    dueBy time: WallTime,
    after last: DueAlarms.Item?,
    _ done: @escaping StoreAnswer<DueAlarms>
  ) {
    let (now, number) = (memory.now, number)
    memory.sessions.alarms(dueBy: time, after: last) { [memory] result in
      done(
        result.map { found in
          var found = found
          memory.contents.withLock { contents in
            found.alarms.removeAll {
              let owner = contents.holdings[$0.session]?.owner
              return owner != number && contents.isLiving(owner, at: now)
            }
          }
          return found
        }
      )
    }
  }

  package func commit(_ change: StoreChange, _ done: @escaping StoreCompletion) {
    commit(change, under: fence(of: change.sessions), done)
  }

  package func commit(
    _ change: StoreChange,
    under fence: Fence,
    _ done: @escaping StoreCompletion
  ) {
    guard !own.withLock({ $0.isClosed }) else { return done(.closed) }
    done(memory.contents.withLock { commit(change, under: fence, &$0) })
  }

  private func commit(
    _ change: StoreChange,
    under fence: Fence,
    _ contents: inout SharedMemory.Contents
  ) -> StoreError? {
    let now = memory.now
    if case .create = change {
      // A node without a valid lease may not create sessions.
      guard contents.isLiving(fence.number, at: now) else { return .fenced }
    }
    let isFenced = change.fenced.contains {
      contents.holdings[$0] != nil && !contents.isOwned($0, under: fence)
    }
    guard !isFenced else {
      if case .append(let append) = change { drop([append.session], under: fence) }
      return .fenced
    }
    var change = change
    if case .use(let times) = change {
      change = .use(times.filter { contents.holdings[$0.key]?.owner == fence.number })
    }
    let failure = Mutex<StoreError?>(nil)
    memory.sessions.commit(change) { error in failure.withLock { $0 = error } }
    if let error = failure.withLock({ $0 }) { return error }
    switch change {
    case .create(let session):
      contents.holdings[session.id] = .init(owner: fence.number, epoch: 1, used: now)
      own.withLock { if $0.number == fence.number { $0.epochs[session.id] = 1 } }
    case .append(let append): contents.holdings[append.session]?.used = now
    case .use(let times):
      for id in times.keys { contents.holdings[id]?.used = now }
    case .end(let ids, _, _):
      for id in ids { contents.holdings[id] = nil }
      drop(ids, under: fence)
    case .share, .revoke, .crash, .forget, .probe: break
    }
    return nil
  }

  /// Forgets the epochs of sessions that this node does not own any more, but none acquired since the fence: a change
  /// may arrive late.
  private func drop(_ ids: some Sequence<SessionID>, under fence: Fence) {
    own.withLock { own in
      guard own.number == fence.number else { return }
      for id in ids where own.epochs[id] == fence.epochs[id] { own.epochs[id] = nil }
    }
  }

  /// Returns the fence for changes that are submitted now.
  package func fence(of ids: some Sequence<SessionID>) -> Fence {
    own.withLock { own in
      var epochs: [SessionID: Int] = [:]
      for id in ids { epochs[id] = own.epochs[id] }
      return Fence(number: own.number, epochs: epochs)
    }
  }

  /// Returns a fence in which the epochs that the node does not know are those of the store.
  package func completed(_ fence: Fence, for ids: some Sequence<SessionID>) -> Fence {
    var fence = fence
    memory.contents.withLock { contents in
      for id in ids where fence.epochs[id] == nil && contents.holdings[id]?.owner == fence.number {
        fence.epochs[id] = contents.holdings[id]?.epoch
      }
    }
    return fence
  }

  package func close() {
    let number = own.withLock { own in
      own.isClosed = true
      return own.number
    }
    memory.contents.withLock { _ = $0.nodes.removeValue(forKey: number) }
  }
}

extension SharedMemory.Contents {
  /// Frees the sessions of dead nodes, and restarts the idle time of those with running work.
  fileprivate mutating func freeOrphans(_ memory: SharedMemory, at now: Duration) {
    for (id, holding) in holdings where holding.owner != nil && !isLiving(holding.owner, at: now) {
      holdings[id]?.owner = nil
      if memory.stored(id)?.isAtWork == true { holdings[id]?.used = now }
    }
  }

  /// Whether a node owns a session and knows its epoch.
  fileprivate func isOwned(_ id: SessionID, under fence: SharedMemoryStore.Fence) -> Bool {
    guard let holding = holdings[id], holding.owner == fence.number else { return false }
    return fence.epochs[id] == holding.epoch
  }
}

extension StoreChange {
  /// The sessions that only their owner may change in this way.
  fileprivate var fenced: [SessionID] {
    switch self {
    case .append(let append): [append.session]
    case .end(let ids, _, _): ids
    case .create, .use, .share, .revoke, .crash, .forget, .probe: []
    }
  }

  /// The sessions that the change affects.
  package var sessions: [SessionID] {
    switch self {
    case .create(let session): [session.id]
    case .append(let append): [append.session]
    case .use(let times): Array(times.keys)
    case .end(let ids, _, _): ids
    case .share(let share): [share.session]
    case .revoke(_, let session): [session]
    case .crash(let crash): [crash.session]
    case .forget, .probe: []
    }
  }
}
