import Synchronization
import UIFusionKit

/// Whether what is stored fits the current view models.
extension SessionHost {
  /// The most sessions that are looked at.
  private static let checkedLimit = 64

  /// Reads one stored State of each view model, as far as they are found, and reports what does not fit.
  package func checkStored() async {
    guard let store else { return }
    var waiting = Set(viewModels.map(\.name))
    for id in table.withLock({ $0.asleep(atMost: Self.checkedLimit) }) where !waiting.isEmpty {
      let loaded = await withCheckedContinuation { continuation in
        store.load(id) { continuation.resume(returning: $0) }
      }
      guard case .success(let stored?) = loaded, waiting.contains(stored.viewModel),
        let viewModel = viewModel(named: stored.viewModel)
      else { continue }
      waiting.remove(stored.viewModel)
      guard !isSetAside(stored) else { continue }
      context.noting(.waking, stored.id, viewModel) { check(stored, viewModel) }
    }
  }

  private func check(_ stored: StoredSession, _ viewModel: HostedViewModel) {
    do {
      let changes = try viewModel.changes(
        in: stored,
        dropsMembers: limits.dropsMembers,
        dependencies
      )
      if !changes.isEmpty { report(.changed(viewModel: stored.viewModel, changes)) }
    } catch {
      report(.unreadable(stored.id, viewModel: stored.viewModel, error))
    }
  }
}
