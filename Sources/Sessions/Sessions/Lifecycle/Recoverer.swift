import UIFusionKit

/// Recovers sessions that have lost their instance, as the store failed or another node may have them.
///
/// A client may be looking at such a session, so it is woken at once. The recoverer also keeps this node's lease, whose
/// loss is that of all sessions.
package final class Recoverer: Sendable {
  private let directory: LockedDirectory
  private let ownership: any SessionOwnership
  private let health: StoreHealth
  private let waker: Waker
  private let context: SessionContext

  init(
    _ directory: LockedDirectory,
    _ ownership: any SessionOwnership,
    _ health: StoreHealth,
    _ waker: Waker,
    _ context: SessionContext
  ) {
    (self.directory, self.ownership) = (directory, ownership)
    (self.health, self.waker, self.context) = (health, waker, context)
  }

  /// Handles that a session has lost its instance.
  func recover(_ id: SessionID, from error: StoreError) {
    guard error != .fenced else { return fenced(id) }
    context.report(.lost(id, error))
    health.failed(error)
  }

  /// Handles a refused commit: another node may have the session.
  ///
  /// A session with followers is woken again.
  private func fenced(_ id: SessionID) {
    context.report(.fenced(id))
    if let session = directory.withLock({ $0.fenced(id) }) {
      // A client may be about to follow it.
      session.move()
    } else if ownership.isHeld {
      recover(id)
    }
  }

  /// Wakes the sessions in memory without an instance.
  func recoverAll() {
    for id in directory.withLock({ $0.lost }) { recover(id) }
  }

  /// Wakes a session without an instance, and tries again later if nothing else will.
  private func recover(_ id: SessionID) {
    let dependencies = context.dependencies
    waker.wake([id]) { [weak self] failure in
      guard let self, mustRetry(id, after: failure),
        directory.withLock({ $0.beginRetry(id) })
      else { return }
      Task.detached(executorPreference: dependencies.executor) { [weak self] in
        try await dependencies.time.sleep(for: .seconds(1))
        self?.directory.withLock { $0.endRetry(id) }
        self?.recover(id)
      }
    }
  }

  /// Whether nothing else will wake a session: for want of memory, or since it was asked for under a lease that has
  /// expired.
  private func mustRetry(_ id: SessionID, after failure: WakeFailure?) -> Bool {
    if case .memoryFull = failure { return true }
    return ownership.mustRetry(after: failure) && directory.withLock { $0.isLost(id) }
  }

  // MARK: The lease

  /// Keeps this node's lease for as long as the task runs; returns at once if the store is this process's alone.
  package func keepLease() async throws {
    try await ownership.keep { [self] event in
      switch event {
      case .joined(let node):
        context.report(.joined(node))
        recoverAll()
      case .silenced: context.report(.leaseSilenced)
      case .restored: context.report(.leaseRestored)
      case .lost:
        context.report(.leaseLost)
        let sessions = directory.withLock { $0.loseLease() }
        for session in sessions { session.instance?.log.abandon(.fenced) }
      }
    }
  }
}
