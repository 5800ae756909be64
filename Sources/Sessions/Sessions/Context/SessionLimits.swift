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
