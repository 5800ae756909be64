import UIFusionKit

/// The parts that all sessions of a host share.
final class SessionContext: Sendable {
  let dependencies: Dependencies
  let clock: WallClock
  let limits: SessionLimits
  let memory: MemoryGauge
  /// The store; nil where sessions are kept in memory alone.
  let store: TimeoutStore?
  /// Reports a State that is not allowed.
  let unfit: @Sendable (SessionID, InvalidState) -> Void
  /// Reports a session that has lost its instance.
  let lost: @Sendable (SessionID, StoreError) -> Void
  /// Reports each Input that was processed; nil where nobody wants to know.
  let inputReport: (@Sendable (SessionID, InputRecord) -> Void)?
  init(
    _ dependencies: Dependencies,
    _ clock: WallClock,
    _ limits: SessionLimits,
    _ memory: MemoryGauge,
    store: TimeoutStore?,
    unfit: @escaping @Sendable (SessionID, InvalidState) -> Void,
    lost: @escaping @Sendable (SessionID, StoreError) -> Void,
    inputReport: (@Sendable (SessionID, InputRecord) -> Void)?
  ) {
    self.dependencies = dependencies
    self.clock = clock
    self.limits = limits
    self.memory = memory
    self.store = store
    self.unfit = unfit
    self.lost = lost
    self.inputReport = inputReport
  }
}
