import Synchronization
import UIFusionKit

/// Sessions that other nodes may have.
extension SessionHost {
  /// Keeps this node's lease for as long as the task runs; there is nothing to do where the store is this
  /// process's alone.
  package func keepLease() async throws {
    try await lease?.keep { [self] event in
      switch event {
      case .joined(let node):
        report(.joined(node))
        wakeAllLost()
      case .silenced: report(.leaseSilenced)
      case .restored: report(.leaseRestored)
      case .lost:
        report(.leaseLost)
        leaveAll()
      }
    }
  }

  /// Whether this node may answer for its sessions; it always may where the store is this process's alone.
  package var isLeaseHeld: Bool { lease?.isHeld ?? true }

  /// How long ago the last renewal of the lease that was granted had been asked for; zero where the store is
  /// this process's alone.
  package var leaseAge: Duration { lease?.age ?? .zero }

  /// This node, as long as it is one of several.
  package var node: Node? { lease?.node }

  /// Takes over what dead nodes were at work on, for as long as the task runs: nobody may ask for it.
  package func keepTakingOver() async throws {
    guard lease != nil else { return try await wakeInterrupted() }
    var unreadable: Set<SessionID> = []
    while true {
      if isLeaseHeld { try await wakeInterrupted(leaving: &unreadable) }
      try await dependencies.time.sleep(for: .seconds(2))
    }
  }

  // MARK: Where sessions are

  /// Whether another node may have it: the store is to be asked.
  func isForeign(_ id: SessionID) -> Bool {
    lease != nil && table.withLock { $0.busy[id] == nil && $0.isForeign(id) }
  }

  /// The node that was thought to have a session does not, or is not to be reached: whoever asks next asks
  /// the store.
  package func forgetLocation(of id: SessionID) {
    table.withLock { _ = $0.locations.removeValue(forKey: id) }
  }

  /// Makes a session this node's, and leaves it asleep: for who does not need its State.
  func own(_ id: SessionID, _ done: @escaping @Sendable (WakeFailure?) -> Void) {
    enum Step { case known, waiting, load, failed(WakeFailure) }
    let isLeaseHeld = isLeaseHeld
    let step: Step = table.withLock { table in
      let isBusy = table.busy[id] != nil
      guard isBusy || table.isForeign(id) else { return .known }
      guard isLeaseHeld else { return .failed(.leaseOver) }
      if let node = table.locations[id] { return .failed(.elsewhere(node)) }
      table.busy[id, default: SessionTable.Busy()].waking.append(done)
      return isBusy ? .waiting : .load
    }
    switch step {
    case .known: done(nil)
    case .waiting: break
    case .load: load(id, into: nil, isRead: false)
    case .failed(let failure): done(failure)
    }
  }

  // MARK: Leaving sessions to others

  /// Another node has it now: nobody here is told that it is over, for it is not.
  func leave(_ id: SessionID, to node: Node) {
    let session = table.withLock { table in
      table.note(node, of: id)
      table.asleep[id] = nil
      return table.sessions.removeValue(forKey: id)
    }
    session?.move()
  }

  /// The store has refused what a session did here.
  ///
  /// Where somebody follows it, it is looked for.
  func fenced(_ id: SessionID) {
    report(.fenced(id))
    let session = table.withLock { table -> Session? in
      guard let session = table.sessions[id], session.feed.followers == 0 else { return nil }
      table.sessions[id] = nil
      return session
    }
    if let session {
      // Somebody may be about to follow it.
      session.move()
    } else if isLeaseHeld {
      wakeLost(id)
    }
  }

  /// What sleeps here, and is not this node's, is let go of.
  func forget(_ ids: [SessionID]) {
    let sessions = table.withLock { table in
      for id in ids { table.asleep[id] = nil }
      let left = ids.filter { table.sessions[$0]?.isAwake == false }
      return left.compactMap { table.sessions.removeValue(forKey: $0) }
    }
    for session in sessions { session.move() }
  }

  /// The store was to make a session this node's, and perhaps has: then it would be nobody else's, and
  /// nobody here would know.
  func letGoUnseen(_ id: SessionID) {
    guard lease != nil else { return }
    table.withLock { table in
      guard table.sessions[id] == nil, table.asleep[id] == nil else { return }
      table.asleep[id] = dependencies.time.now
      table.unreleased.insert(id)
    }
  }

  /// The lease has run out: what was at work here is discarded.
  private func leaveAll() {
    let sessions = table.withLock { table in
      table.locations = [:]
      table.unreleased = []
      for id in table.asleep.keys where table.busy[id] == nil { table.asleep[id] = nil }
      return table.sessions
    }
    for session in sessions.values { session.instance?.log.abandon(.fenced) }
  }

  /// Lets go of a session that sleeps, and that nobody but this function is at.
  func release(_ id: SessionID) {
    let now = dependencies.time.now
    guard let used = table.withLock({ $0.asleep[id] }) else { return finish(id, nil) }
    store?.release([id: now - used]) { [self] error in
      let isWanted = table.withLock { table in
        switch error {
        case nil, .fenced: table.asleep[id] = nil
        case .some: table.unreleased.insert(id)
        }
        return table.busy[id]?.waking.isEmpty == false
      }
      if isWanted { load(id, into: nil) } else { finish(id, nil) }
    }
  }

  /// Lets go of a session that was acquired in vain.
  func giveBack(_ id: SessionID, idleFor idle: Duration, _ done: @escaping @Sendable () -> Void) {
    store?.release([id: idle]) { [self] error in
      table.withLock { table in
        guard error != nil, error != .fenced else { return }
        table.asleep[id] = dependencies.time.now - idle
        table.unreleased.insert(id)
      }
      done()
    }
  }

  /// Tries again what the store could not be told.
  func releaseAgain() {
    let ids = table.withLock { table in
      let known = table.unreleased.filter { table.asleep[$0] != nil }
      let ids = known.filter { table.busy[$0] == nil }
      for id in ids { table.busy[id] = SessionTable.Busy() }
      table.unreleased = known.subtracting(ids)
      return ids
    }
    for id in ids { release(id) }
  }

  /// Has the store end what nobody has and nobody has used for too long, some at a time.
  func expireForeign() {
    let limit = 1_000
    store?.shared?.expire(unusedFor: limits.idleTime, limit: limit) { [weak self] result in
      if case .success(limit) = result { self?.expireForeign() }
    }
  }
}

extension SessionHost.WakeFailure {
  package static let leaseOver = Self.store(.unreachable("this node's lease has run out"))
}
