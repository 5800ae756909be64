import Synchronization
import UIFusionKit

/// Tells view models of sessions that end while asleep: see ``SessionEnding``.
extension SessionHost {
  /// Whether a view model is told when its session ends.
  var tellsOfEnd: Bool { viewModels.contains(where: \.isToldOfEnd) }

  /// Reads the sleeping sessions among `ids` whose view models are told of the end.
  func readToldOfEnd(
    _ ids: [SessionID],
    from store: TimeoutStore,
    _ done: @escaping @Sendable ([StoredSession]) -> Void
  ) {
    guard tellsOfEnd else { return done([]) }
    let asleep = table.withLock { table in ids.filter(table.mayBeToldAsleep) }
    read(asleep[...], after: [], from: store, done)
  }

  private func read(
    _ ids: ArraySlice<SessionID>,
    after found: [StoredSession],
    from store: TimeoutStore,
    _ done: @escaping @Sendable ([StoredSession]) -> Void
  ) {
    guard let id = ids.first else { return done(found) }
    store.load(id) { [self] result in
      var found = found
      if case .success(let stored?) = result,
        viewModel(named: stored.viewModel)?.isToldOfEnd == true
      {
        found.append(stored)
      }
      read(ids.dropFirst(), after: found, from: store, done)
    }
  }

  /// Creates a session's view model once more, and tells it of the end; one that cannot be read is not told.
  func tellOfEnd(_ stored: StoredSession) {
    // The store's thread must not be blocked.
    Task.detached(executorPreference: dependencies.executor) { [self] in
      // Its code would end the process once more.
      guard !isSetAside(stored), let viewModel = viewModel(named: stored.viewModel),
        let position = try? viewModel.position(of: stored)
      else { return }
      var dependencies = dependencies
      dependencies.sessionID = stored.id.description
      dependencies.identity = stored.identity
      context.noting(.end, stored.id, viewModel) {
        _ = FirstStateCommitter.of(dependencies, isOver: true, dropsMembers: limits.dropsMembers) {
          try viewModel.open(viewModel.start(of: stored, at: position), $0)
        }
      }
    }
  }
}
