import Synchronization
import UIFusionKit

/// Whether the store works, and when it does again.
///
/// After a failure it is asked every second, until it takes a change.
final class StoreRecovery: Sendable {
  private static let pause = Duration.seconds(1)

  private struct Contents {
    var isWorking = true
    /// Whether something may or may not stand that the store was given.
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

  /// Whether what is read might be denied later: not before the store has taken a change has it settled
  /// what stands.
  var isInDoubt: Bool { contents.withLock { $0.isInDoubt } }

  /// The store has failed; calls back, on the pool, when it works again.
  ///
  /// Whoever comes while it is being asked already is called by that; true for who came first.
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
