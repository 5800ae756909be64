import Synchronization
import UIFusionKit

/// The health of a host's store: failures, and the recovery from them.
///
/// After a failure the store is asked every second until it takes a change.
package final class StoreHealth: Sendable {
  private static let pause = Duration.seconds(1)

  private struct Contents {
    var isWorking = true
    /// Whether some change may or may not be committed.
    var isInDoubt = false
  }

  private let store: TimeoutStore?
  private let ownership: any SessionOwnership
  private let dependencies: Dependencies
  private let report: @Sendable (SessionEvent) -> Void
  private let recovered: @Sendable () -> Void
  private let contents = Mutex(Contents())

  /// Creates the health of a store that works; `recovered` is called in the pool each time that it works again.
  init(
    _ store: TimeoutStore?,
    _ ownership: any SessionOwnership,
    _ dependencies: Dependencies,
    report: @escaping @Sendable (SessionEvent) -> Void,
    recovered: @escaping @Sendable () -> Void
  ) {
    (self.store, self.ownership, self.dependencies) = (store, ownership, dependencies)
    (self.report, self.recovered) = (report, recovered)
  }

  /// Whether the store commits changes, as far as is known, and this process may answer for its sessions.
  package var isReachable: Bool {
    contents.withLock { $0.isWorking } && ownership.isHeld
      && store.map { $0.age < TimeoutStore.hangingAge } ?? true
  }

  /// Whether a session read now may be denied later: only a store that takes a change has settled what is committed.
  var isInDoubt: Bool { contents.withLock { $0.isInDoubt } }

  /// Whether a task waits to see that the store answers in time.
  package var isTimed: Bool { store?.isTimed ?? false }

  /// Handles a failure of the store, which is asked from now on until it works again.
  ///
  /// Damage of a session, or its move to another node, says nothing of others, and asking again would not help.
  package func failed(_ error: StoreError) {
    switch error {
    case .damaged, .fenced, .taken: return
    case .full, .unreachable, .conflict, .inDoubt, .closed: break
    }
    guard error != .closed, let store else { return }
    let isFirst = contents.withLock { contents in
      defer { contents.isWorking = false }
      if error == .inDoubt { contents.isInDoubt = true }
      return contents.isWorking
    }
    guard isFirst else { return }
    let time = dependencies.time
    Task.detached(executorPreference: dependencies.executor) { [weak self] in
      while true {
        try? await time.sleep(for: Self.pause)
        let error = await store.commit(.probe)
        guard let self, error != .closed else { return }
        if error == nil {
          contents.withLock { $0 = Contents() }
          report(.storeRecovered)
          return recovered()
        }
      }
    }
    report(.storeFailed(error))
  }

  /// Handles that the store hangs, or was given up.
  func handle(_ event: TimeoutStore.Event) {
    switch event {
    case .hangs: report(.storeHangs)
    case .gaveUp: failed(.inDoubt)
    }
  }
}
