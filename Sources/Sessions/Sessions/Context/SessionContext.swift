import UIFusionKit

/// The parts that all sessions of a host share.
final class SessionContext: Sendable {
  let dependencies: Dependencies
  let clock: WallClock
  let limits: SessionLimits
  let memory: MemoryGauge
  /// The store; nil if sessions are kept in memory alone.
  let store: TimeoutStore?
  /// The times at which sessions in memory are rung.
  let alarms: any AlarmTimes
  let timeouts: Timeouts
  /// The number of the service in the notes of user code; 0 for no notes.
  let noteNumber: UInt
  /// The connection to other sessions.
  let connection: SessionConnection
  /// Told of what happens to sessions, on any thread.
  let report: @Sendable (SessionEvent) -> Void
  /// Called with a session that has lost its instance.
  let recover: @Sendable (SessionID, StoreError) -> Void
  /// Told of each Input that was processed; nil if nothing uses the reports.
  let inputReport: (@Sendable (SessionID, InputRecord) -> Void)?
  /// The traces of the sessions that are watched; nil if none may be watched.
  let traces: SessionTraces?

  init(
    _ dependencies: Dependencies,
    _ clock: WallClock,
    _ limits: SessionLimits,
    _ memory: MemoryGauge,
    store: TimeoutStore?,
    alarms: any AlarmTimes,
    timeouts: Timeouts,
    noteNumber: UInt,
    connection: SessionConnection,
    report: @escaping @Sendable (SessionEvent) -> Void,
    recover: @escaping @Sendable (SessionID, StoreError) -> Void,
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
    self.connection = connection
    self.report = report
    self.recover = recover
    self.inputReport = inputReport
    self.traces = traces
  }
}

/// The times of the first alarms of the sessions in memory.
protocol AlarmTimes: AnyObject, Sendable {
  /// Sets the time of a session's first alarm; nil if it has none.
  ///
  /// `hasRung`: the alarm that was first before has rung.
  func set(_ time: WallTime?, of id: SessionID, hasRung: Bool)

  /// Forgets a session that has ended or left memory.
  func remove(_ id: SessionID)
}
