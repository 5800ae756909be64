import UIFusionKit

/// Checks whether what is stored fits the current view models.
package struct StoredStateCheck: Sendable {
  let directory: LockedDirectory
  let viewModels: HostedViewModels
  let setAside: SetAsideSessions
  let context: SessionContext

  /// The most sessions that are looked at.
  private static let checkedLimit = 64

  /// Reads one stored State of each view model, as far as they are found, and reports what does not fit.
  package func run() async {
    guard let store = context.store else { return }
    var waiting = Set(viewModels.all.map(\.name))
    for id in directory.withLock({ $0.asleep(atMost: Self.checkedLimit) }) where !waiting.isEmpty {
      guard case .success(let stored?) = await store.load(id), waiting.contains(stored.viewModel),
        let viewModel = viewModels.named(stored.viewModel)
      else { continue }
      waiting.remove(stored.viewModel)
      guard !setAside.leavesAlone(stored) else { continue }
      context.noting(.waking, stored.id, viewModel) { check(stored, viewModel) }
    }
  }

  private func check(_ stored: StoredSession, _ viewModel: HostedViewModel) {
    do {
      let changes = try viewModel.changes(
        in: stored,
        dropsMembers: context.limits.dropsMembers,
        context.dependencies
      )
      if !changes.isEmpty { context.report(.changed(viewModel: stored.viewModel, changes)) }
    } catch {
      context.report(.unreadable(stored.id, viewModel: stored.viewModel, error))
    }
  }
}
