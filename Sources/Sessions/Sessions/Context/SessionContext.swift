import UIFusionKit

/// The parts that all sessions of a host share.
final class SessionContext: Sendable {
  let dependencies: Dependencies
  let clock: WallClock
  let limits: SessionLimits
  let memory: MemoryGauge
  /// The store; nil if sessions are kept in memory alone.
  let store: TimeoutStore?
  let alarms: AlarmClock
  let timeouts: Timeouts
  /// Reports a State that is not allowed.
  let reportInvalidState: @Sendable (SessionID, InvalidState) -> Void
  /// Reports members that were dropped from a session's stored State.
  let reportDroppedMembers: @Sendable (SessionID, _ viewModel: String, [String]) -> Void
  /// Reports a turn that has taken long.
  let reportSlowTurn: @Sendable (SessionID, _ viewModel: String, SlowTurn) -> Void
  /// Reports a session that has lost its instance.
  let reportLoss: @Sendable (SessionID, StoreError) -> Void
  /// Reports a change of an alarm, or of a message, that is stored.
  let reportAlarmChange: @Sendable (SessionID, AlarmChange) -> Void
  /// The number of the service in the notes of user code; 0 for no notes.
  let noteNumber: UInt
  /// The connection to other sessions.
  let connection: SessionConnection
  /// Reports each Input that was processed; nil if nothing uses the reports.
  let inputReport: (@Sendable (SessionID, InputRecord) -> Void)?
  /// The traces of the sessions that are watched; nil if none may be watched.
  let traces: SessionTraces?

  init(
    _ dependencies: Dependencies,
    _ clock: WallClock,
    _ limits: SessionLimits,
    _ memory: MemoryGauge,
    store: TimeoutStore?,
    alarms: AlarmClock,
    timeouts: Timeouts,
    noteNumber: UInt,
    reportAlarmChange: @escaping @Sendable (SessionID, AlarmChange) -> Void,
    connection: SessionConnection,
    reportInvalidState: @escaping @Sendable (SessionID, InvalidState) -> Void,
    reportDroppedMembers: @escaping @Sendable (SessionID, String, [String]) -> Void,
    reportSlowTurn: @escaping @Sendable (SessionID, String, SlowTurn) -> Void,
    reportLoss: @escaping @Sendable (SessionID, StoreError) -> Void,
    inputReport: (@Sendable (SessionID, InputRecord) -> Void)?,
    traces: SessionTraces? = nil
  ) {
    self.dependencies = dependencies
    self.clock = clock
    self.limits = limits
    self.memory = memory
    self.store = store
    self.alarms = alarms
    self.timeouts = timeouts
    self.noteNumber = noteNumber
    self.reportAlarmChange = reportAlarmChange
    self.connection = connection
    self.reportInvalidState = reportInvalidState
    self.reportDroppedMembers = reportDroppedMembers
    self.reportSlowTurn = reportSlowTurn
    self.reportLoss = reportLoss
    self.inputReport = inputReport
    self.traces = traces
  }
}

/// The limits of a host's sessions.
package struct SessionLimits: Sendable {
  package var sessions = 100_000
  package var queuedInputs = 256
  package var batch = 1_000
  /// Bytes of a State as JSON.
  package var state = 1 << 20
  /// Bytes of log entries that may wait for the store until a session takes no more turns.
  package var unstoredBytes = 4 << 20
  /// Bytes of memory in use beyond which what takes more is refused; nil for no limit: see
  /// ``MemoryGauge``.
  package var memory: Int?
  /// Whether a stored State loses the members that its type no longer has, whatever the view model says.
  package var dropsMembers = false
  /// Whether each version in the log can be read again, which takes a State in whole there now and then.
  package var keepsVersions = false
  /// The duration from which a turn is reported; nil to report none.
  package var slowTurn: Duration? = .seconds(1)
  /// The time that an idle session is kept.
  package var idleTime = Duration.seconds(1800)
  /// The time that an unused session stays in memory.
  package var sleepAfter = Duration.seconds(60)
  /// The time within which a session sets itself aside by ending the process twice; zero for never.
  package var setAsideWithin = Duration.seconds(3600)
  /// The time for which the id of a session that ended is remembered.
  package var memoryOfEnded = Duration.seconds(600)

  package init() {}
}
