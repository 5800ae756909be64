import Synchronization
import UIFusionKit

/// What happens when the store fails, or does not answer, and when it works again.
extension SessionHost {
  /// A session has lost what ran it.
  func lost(_ id: SessionID, _ error: StoreError) {
    guard error != .fenced else { return fenced(id) }
    report(.lost(id, error))
    storeFailed(error)
  }

  /// The store has failed: it is asked until it works again.
  ///
  /// Damage is a session's own, and so is that another node has it: neither says anything of the others, and
  /// asking again would not mend it.
  package func storeFailed(_ error: StoreError) {
    switch error {
    case .damaged, .fenced: return
    default: break
    }
    let isNews = watch.failed(error) { [self] in wakeLost() }
    if isNews { report(.storeFailed(error)) }
  }

  /// Brings back the sessions that somebody may be looking at.
  func wakeLost() {
    report(.storeRecovered)
    wakeAllLost()
  }

  func wakeAllLost() {
    let ids = table.withLock { $0.sessions.values.filter { !$0.isAwake }.map(\.id) }
    for id in ids { wakeLost(id) }
  }

  /// Where there is no memory for it yet, it is tried again.
  func wakeLost(_ id: SessionID) {
    wake([id]) { [weak self, dependencies] failure in
      guard let self, isStillLost(id, failure),
        table.withLock({ $0.retried.insert(id).inserted })
      else { return }
      Task.detached(executorPreference: dependencies.executor) { [weak self] in
        try await dependencies.time.sleep(for: .seconds(1))
        self?.table.withLock { _ = $0.retried.remove(id) }
        self?.wakeLost(id)
      }
    }
  }

  /// Whether nobody else will wake it: for want of memory, or since what was asked for was under a lease
  /// that has run out.
  private func isStillLost(_ id: SessionID, _ failure: WakeFailure?) -> Bool {
    switch failure {
    case .memoryFull: true
    case nil, .store(.fenced), .store(.unreachable):
      lease != nil && table.withLock { $0.sessions[id]?.isAwake == false }
    case .store, .unreadable, .unreadableHere, .elsewhere: false
    }
  }

  /// The store hangs, or was given up.
  func told(_ event: TimeoutStore.Event) {
    switch event {
    case .hangs: report(.storeHangs)
    case .gaveUp: storeFailed(.inDoubt)
    }
  }

  /// Whether a task waits to see that the store answers in time.
  package var isTimingStore: Bool { store?.isTimed ?? false }

  /// Knows a host that is still being made.
  final class WeakOwner: Sendable {
    private let reference = Mutex(Reference())

    private struct Reference: Sendable {
      weak var host: SessionHost?
    }

    var host: SessionHost? {
      get { reference.withLock { $0.host } }
      set { reference.withLock { $0.host = newValue } }
    }
  }
}
