import Synchronization
package import UIFusionKit

/// A committer that keeps the State with which a view model begins, and nothing else.
package final class FirstStateCommitter: TurnCommitter {
  private let state = Mutex<EncodedState?>(nil)
  package let isFull = true

  private init() {}

  /// Opens a view model, closes it, with `isOver` as if its session had ended, and returns its State; nil if the view
  /// model cannot be opened, or its State cannot be written.
  package static func of(
    _ dependencies: Dependencies,
    isOver: Bool = false,
    dropsMembers: Bool = false,
    _ open: (HostedViewModel.Opening) throws -> Engine
  ) -> EncodedState? {
    let first = FirstStateCommitter()
    var dependencies = dependencies
    dependencies.interceptors = []
    let opening = HostedViewModel.Opening(
      mailboxLimit: 0,
      dependencies: dependencies,
      committer: first,
      isRecorded: false,
      stateLimit: .max,
      dropsMembers: dropsMembers,
      invalid: { _ in }
    )
    guard let engine = try? open(opening) else { return nil }
    engine.close(isOver: isOver)
    return first.state.withLock { $0 }
  }

  package func begin(with state: any RenderedState, version: Int) {
    guard state.invalid == nil else { return }
    self.state.withLock { $0 = state as? EncodedState }
  }

  package func commit(_ result: consuming TurnResult) {}
}
