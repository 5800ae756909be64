import Synchronization
package import UIFusionKit

extension HostedViewModel {
  /// Returns the members that the newest stored State of a session lacks, and a fresh State supplies.
  ///
  /// - Throws: what keeps it from being read.
  package func membersLacking(
    in stored: StoredSession,
    _ dependencies: Dependencies
  ) throws -> [String] {
    let position = try position(of: stored)
    return try lacking(stored.parameters, position.state, position.format, dependencies)
  }
}

/// Whether what is stored fits the view models of today.
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
      check(stored, viewModel)
    }
  }

  private func check(_ stored: StoredSession, _ viewModel: HostedViewModel) {
    do {
      let lacking = try viewModel.membersLacking(in: stored, dependencies)
      if !lacking.isEmpty { report(.lacking(viewModel: stored.viewModel, lacking)) }
    } catch {
      report(.unreadable(stored.id, viewModel: stored.viewModel, error))
    }
  }
}
