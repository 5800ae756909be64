import Synchronization
import UIFusionKit

/// The store's recovery from a failure: the store is asked every second until it takes a change.
final class StoreRecovery: Sendable {
  private static let pause = Duration.seconds(1)

  private struct Contents {
    var isWorking = true
    /// Whether some change may or may not be committed.
    var isInDoubt = false
  }

  private let store: (any SessionStore)?
  private let dependencies: Dependencies
  private let contents = Mutex(Contents())

  init(_ store: (any SessionStore)?, _ dependencies: Dependencies) {
    self.store = store
    self.dependencies = dependencies
  }

  var isReachable: Bool { contents.withLock { $0.isWorking } }

  /// Whether a session read now may be denied later: only a store that takes a change has settled what is committed.
  var isInDoubt: Bool { contents.withLock { $0.isInDoubt } }

  /// Notes a failure; calls back, on the pool, when the store works again.
  ///
  /// Returns whether the failure is the first: later ones are not called back, as the first one's callback is for all.
  func failed(_ error: StoreError, recovered: @escaping @Sendable () -> Void) -> Bool {
    guard error != .closed, let store else { return false }
    let isFirst = contents.withLock { contents in
      defer { contents.isWorking = false }
      if error == .inDoubt { contents.isInDoubt = true }
      return contents.isWorking
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
          contents.withLock { $0 = Contents() }
          return recovered()
        }
      }
    }
    return true
  }
}
