import Synchronization
import UIFusionKit

/// Sessions that have ended the process repeatedly: they wait until they are resumed, or another build tries them.
extension SessionHost {
  /// The pause between two looks at which sessions are set aside.
  private static let setAsidePause = Duration.seconds(2)

  /// The number of sessions that are set aside, as of the last look at the store.
  package var setAsideCount: Int { setAside.withLock { $0.count } }

  /// Whether a session is set aside, as far as is known without asking the store.
  func isSetAside(_ id: SessionID) -> Bool { setAside.withLock { $0.contains(id) } }

  /// Whether this build leaves a stored session alone.
  func isSetAside(_ stored: StoredSession) -> Bool {
    stored.crashes.map(leavesAlone) ?? false
  }

  private func leavesAlone(_ record: CrashRecord) -> Bool {
    limits.setAsideWithin > .zero && record.isRepeated && record.setsAside(build())
  }

  /// Records that the process ends, or has ended, at a session's work; `done` is called once that is stored.
  package func record(_ crash: SessionCrash, _ done: @escaping StoreCompletion) {
    guard let store else { return done(nil) }
    store.commit(.crash(crash), done)
  }

  /// Keeps up with which sessions are set aside, for as long as the task runs.
  package func keepWatchingSetAside() async throws {
    guard let store else { return }
    while true {
      let found = await withCheckedContinuation { continuation in
        store.crashed { continuation.resume(returning: $0) }
      }
      if case .success(let crashed) = found { try await update(crashed) }
      try await dependencies.time.sleep(for: Self.setAsidePause)
    }
  }

  /// Reports the sessions that are newly set aside, and wakes those that no longer are.
  private func update(_ crashed: [CrashedSession]) async throws {
    let left = crashed.filter { leavesAlone($0.record) }
    let ids = Set(left.map(\.id))
    let resumed = setAside.withLock { setAside in
      let resumed = setAside.subtracting(ids)
      setAside.subtract(resumed)
      return resumed
    }
    for session in left { noteSetAside(session.id, viewModel: session.viewModel) }
    for id in resumed {
      // It may have ended.
      if case .woken = try await wakeForNobody(id) { report(.resumed(id)) }
    }
  }

  /// Notes that a session is set aside; reports that once.
  func noteSetAside(_ id: SessionID, viewModel: String) {
    guard setAside.withLock({ $0.insert(id).inserted }) else { return }
    report(.setAside(id, viewModel: viewModel))
  }
}
