import Synchronization
import UIFusionKit

/// Sessions that other nodes may own.
extension SessionHost {
  /// Keeps this node's lease for as long as the task runs; returns at once if the store is this process's alone.
  package func keepLease() async throws {
    try await ownership.keep { [self] event in
      switch event {
      case .joined(let node):
        report(.joined(node))
        wakeAllLost()
      case .silenced: report(.leaseSilenced)
      case .restored: report(.leaseRestored)
      case .lost:
        report(.leaseLost)
        let sessions = table.withLock { $0.loseLease() }
        for session in sessions { session.instance?.log.abandon(.fenced) }
      }
    }
  }

  /// Whether this node may answer for its sessions; always true if the store is this process's alone.
  package var isLeaseHeld: Bool { ownership.isHeld }

  /// The time since the last granted renewal of the lease was asked for; zero if the store is this process's alone.
  package var leaseAge: Duration { ownership.age }

  /// This node, as long as it is one of several.
  package var node: Node? { ownership.node }

  /// Finds the other living nodes, also those without an address; `done` is called once, with nil if the store does not
  /// know, or this process is not a node.
  package func findOtherNodes(_ done: @escaping @Sendable ([Node]?) -> Void) {
    ownership.findOtherNodes(done)
  }

  /// Forgets which node has a session, as that node denies it or is out of reach: the next request asks the store.
  package func forgetLocation(of id: SessionID) {
    table.withLock { $0.forgetLocation(of: id) }
  }

  // MARK: Leaving sessions to others

  /// Handles a refused commit: another node may have the session.
  ///
  /// A session with followers is woken again.
  func fenced(_ id: SessionID) {
    report(.fenced(id))
    if let session = table.withLock({ $0.fenced(id) }) {
      // A client may be about to follow it.
      session.move()
    } else if isLeaseHeld {
      wakeLost(id)
    }
  }

  /// Forgets sessions that sleep or were lost here, and are not this node's.
  func forget(_ ids: [SessionID]) {
    let sessions = table.withLock { $0.forget(ids) }
    for session in sessions { session.move() }
  }

  /// Gives back a session that was acquired and cannot be opened.
  func giveBack(_ id: SessionID, idleFor idle: Duration, _ done: @escaping @Sendable () -> Void) {
    store?.release([id: idle]) { [self] error in
      change { $0.gaveBack(id, error, idleFor: idle, now: $1) }
      done()
    }
  }

  /// Releases a sleeping session, which no one else is at work on.
  func release(_ id: SessionID) {
    guard let lastUse = table.withLock({ $0.beginRelease(id) }) else { return finish(id, nil) }
    store?.release([id: dependencies.time.now - lastUse]) { [self] error in
      let isWanted = table.withLock { $0.released(id, error) }
      if isWanted { load(id, into: nil) } else { finish(id, nil) }
    }
  }
}
