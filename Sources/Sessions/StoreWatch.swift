import Synchronization
import UIFusionKit

/// Whether the store works, and when it does again.
///
/// After a failure it is asked every second, until it takes a change.
final class StoreWatch: Sendable {
  private static let pause = Duration.seconds(1)

  private let store: (any SessionStore)?
  private let dependencies: Dependencies
  private let isWorking = Mutex(true)

  init(_ store: (any SessionStore)?, _ dependencies: Dependencies) {
    self.store = store
    self.dependencies = dependencies
  }

  var isReachable: Bool { isWorking.withLock { $0 } }

  /// The store has failed; calls back, on the pool, when it works again.
  ///
  /// Whoever comes while it is being asked already is called by that; true for who came first.
  func failed(_ error: StoreError, recovered: @escaping @Sendable () -> Void) -> Bool {
    guard error != .closed, let store else { return false }
    let isFirst = isWorking.withLock { isWorking in
      defer { isWorking = false }
      return isWorking
    }
    guard isFirst else { return false }
    let time = dependencies.time
    Task.detached(executorPreference: dependencies.executor) { [weak self] in
      while true {
        try? await time.sleep(for: Self.pause)
        let error = await withCheckedContinuation { continuation in
          store.commit(.probe) { continuation.resume(returning: $0) }
        }
        guard let self, error != .closed else { return }
        if error == nil {
          isWorking.withLock { $0 = true }
          return recovered()
        }
      }
    }
    return true
  }
}
