import Synchronization
import UIFusionKit

/// What all sessions of a host are given.
final class SessionContext: Sendable {
  let dependencies: Dependencies
  let clock: WallClock
  let limits: SessionHost.Limits
  let memory: MemoryGauge
  /// Nil where sessions are kept in memory alone.
  let store: TimeoutStore?
  /// Told of a State that cannot stand.
  let unfit: @Sendable (SessionID, InvalidState) -> Void
  /// Told of each Input that was processed; nil where nobody wants to know.
  let inputReport: (@Sendable (SessionID, InputRecord) -> Void)?
  private let host = Mutex(Owner())

  private struct Owner: Sendable {
    weak var host: SessionHost?
  }

  init(
    _ dependencies: Dependencies,
    _ clock: WallClock,
    _ limits: SessionHost.Limits,
    _ memory: MemoryGauge,
    store: TimeoutStore?,
    unfit: @escaping @Sendable (SessionID, InvalidState) -> Void,
    inputReport: (@Sendable (SessionID, InputRecord) -> Void)?
  ) {
    self.dependencies = dependencies
    self.clock = clock
    self.limits = limits
    self.memory = memory
    self.store = store
    self.unfit = unfit
    self.inputReport = inputReport
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
