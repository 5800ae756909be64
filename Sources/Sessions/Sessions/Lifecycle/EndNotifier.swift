import UIFusionKit

/// Tells view models of sessions that end while asleep: see ``SessionEnding``.
final class EndNotifier: Sendable {
  private let directory: LockedDirectory
  private let viewModels: HostedViewModels
  private let setAside: SetAsideSessions
  private let context: SessionContext

  init(
    _ directory: LockedDirectory,
    _ viewModels: HostedViewModels,
    _ setAside: SetAsideSessions,
    _ context: SessionContext
  ) {
    (self.directory, self.viewModels) = (directory, viewModels)
    (self.setAside, self.context) = (setAside, context)
  }

  /// Whether a view model is told when its session ends.
  var isNeeded: Bool { viewModels.anyIsToldOfEnd }

  /// Reads the sleeping sessions among `ids` whose view models are told of the end.
  func read(
    _ ids: [SessionID],
    from store: TimeoutStore,
    _ done: @escaping @Sendable ([StoredSession]) -> Void
  ) {
    guard isNeeded else { return done([]) }
    let asleep = directory.withLock { directory in ids.filter(directory.mayBeToldAsleep) }
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
        viewModels.named(stored.viewModel)?.isToldOfEnd == true
      {
        found.append(stored)
      }
      read(ids.dropFirst(), after: found, from: store, done)
    }
  }

  /// Creates a session's view model once more, and tells it of the end; one that cannot be read is not told.
  func tell(_ stored: StoredSession) {
    // The store's thread must not be blocked.
    Task.detached(executorPreference: context.dependencies.executor) { [self] in
      // Its code would end the process once more.
      guard !setAside.leavesAlone(stored), let viewModel = viewModels.named(stored.viewModel),
        let position = try? viewModel.position(of: stored)
      else { return }
      var dependencies = context.dependencies
      dependencies.sessionID = stored.id.description
      dependencies.identity = stored.identity
      context.noting(.end, stored.id, viewModel) {
        _ = FirstStateCommitter.of(
          dependencies,
          isOver: true,
          dropsMembers: context.limits.dropsMembers
        ) {
          try viewModel.open(viewModel.start(of: stored, at: position), $0)
        }
      }
    }
  }
}
