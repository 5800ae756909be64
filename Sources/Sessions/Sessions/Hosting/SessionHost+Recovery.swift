import Synchronization
import UIFusionKit

/// Failures of the store, and the recovery from them.
extension SessionHost {
  /// Handles that a session has lost its instance.
  func lost(_ id: SessionID, _ error: StoreError) {
    guard error != .fenced else { return fenced(id) }
    report(.lost(id, error))
    storeFailed(error)
  }

  /// Handles a failure of the store, which is asked from now on until it works again.
  ///
  /// Damage of a session, or its move to another node, says nothing of others, and asking again would not help.
  package func storeFailed(_ error: StoreError) {
    switch error {
    case .damaged, .fenced, .taken: return
    case .full, .unreachable, .conflict, .inDoubt, .closed: break
    }
    let isNews = recovery.failed(error) { [self] in
      report(.storeRecovered)
      wakeAllLost()
    }
    if isNews { report(.storeFailed(error)) }
  }

  /// Wakes the sessions in memory without an instance: a client may be looking at them.
  func wakeAllLost() {
    for id in table.withLock({ $0.lost }) { wakeLost(id) }
  }

  /// Wakes a session without an instance, and tries again later if nothing else will.
  func wakeLost(_ id: SessionID) {
    wake([id]) { [weak self, dependencies] failure in
      guard let self, mustRetry(id, after: failure), table.withLock({ $0.beginRetry(id) }) else {
        return
      }
      Task.detached(executorPreference: dependencies.executor) { [weak self] in
        try await dependencies.time.sleep(for: .seconds(1))
        self?.table.withLock { $0.endRetry(id) }
        self?.wakeLost(id)
      }
    }
  }

  /// Whether nothing else will wake a session: for want of memory, or since it was asked for under a lease that has
  /// expired.
  private func mustRetry(_ id: SessionID, after failure: WakeFailure?) -> Bool {
    if case .memoryFull = failure { return true }
    return ownership.mustRetry(after: failure) && table.withLock { $0.isLost(id) }
  }

  /// Handles that the store hangs, or was given up.
  func handle(_ event: TimeoutStore.Event) {
    switch event {
    case .hangs: report(.storeHangs)
    case .gaveUp: storeFailed(.inDoubt)
    }
  }

  /// Whether a task waits to see that the store answers in time.
  package var isTimingStore: Bool { store?.isTimed ?? false }
}
