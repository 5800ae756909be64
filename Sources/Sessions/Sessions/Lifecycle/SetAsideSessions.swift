import Synchronization
import UIFusionKit

/// The sessions that have ended the process repeatedly: they wait until they are resumed, or another build tries them.
package final class SetAsideSessions: Sendable {
  /// The time within which a session sets itself aside by ending the process twice; zero for never.
  private let within: Duration
  /// Returns the identity of this build of the program; called only if a session has ended a process.
  private let build: @Sendable () -> String
  private let report: @Sendable (SessionEvent) -> Void
  /// The sessions that are set aside, as far as is known.
  private let ids = Mutex<Set<SessionID>>([])

  init(
    within: Duration,
    build: @escaping @Sendable () -> String,
    report: @escaping @Sendable (SessionEvent) -> Void
  ) {
    (self.within, self.build, self.report) = (within, build, report)
  }

  /// The number of sessions that are set aside, as of the last look at the store.
  package var count: Int { ids.withLock { $0.count } }

  /// Whether a session is set aside, as far as is known without asking the store.
  func contains(_ id: SessionID) -> Bool { ids.withLock { $0.contains(id) } }

  /// Whether this build leaves a stored session alone.
  func leavesAlone(_ stored: StoredSession) -> Bool { stored.crashes.map(leavesAlone) ?? false }

  private func leavesAlone(_ record: CrashRecord) -> Bool {
    within > .zero && record.isRepeated && record.setsAside(build())
  }

  /// Notes that a session is set aside; reports that once.
  func add(_ id: SessionID, viewModel: String) {
    guard ids.withLock({ $0.insert(id).inserted }) else { return }
    report(.setAside(id, viewModel: viewModel))
  }

  /// Notes which sessions have ended the process, reports those that are newly set aside, and returns those that no
  /// longer are.
  func update(_ crashed: [CrashedSession]) -> Set<SessionID> {
    let left = crashed.filter { leavesAlone($0.record) }
    let resumed = ids.withLock { [known = Set(left.map(\.id))] ids in
      let resumed = ids.subtracting(known)
      ids.subtract(resumed)
      return resumed
    }
    for session in left { add(session.id, viewModel: session.viewModel) }
    return resumed
  }
}
