import Synchronization
import UIFusionKit

/// What all sessions of a host are given.
final class SessionContext: Sendable {
  let dependencies: Dependencies
  let clock: WallClock
  let mailboxLimit: Int
  /// Nil where sessions are kept in memory alone.
  let store: (any SessionStore)?
  /// Told of a State that cannot be written as JSON.
  let unwritable: @Sendable (SessionID, any Error) -> Void
  private let host = Mutex(Owner())

  private struct Owner: Sendable {
    weak var host: SessionHost?
  }

  init(
    _ dependencies: Dependencies,
    _ clock: WallClock,
    mailboxLimit: Int,
    store: (any SessionStore)?,
    unwritable: @escaping @Sendable (SessionID, any Error) -> Void
  ) {
    self.dependencies = dependencies
    self.clock = clock
    self.mailboxLimit = mailboxLimit
    self.store = store
    self.unwritable = unwritable
  }

  /// Says whose it is, once that is there.
  func belong(to host: SessionHost) {
    self.host.withLock { $0.host = host }
  }

  /// A session has lost its instance.
  func lost(_ id: SessionID, _ error: StoreError) {
    host.withLock { $0.host }?.lost(id, error)
  }
}
