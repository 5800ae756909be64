/// The limits of a host's sessions.
package struct SessionLimits: Sendable {
  package var sessions = 100_000
  package var queuedInputs = 256
  package var batch = 1_000
  /// Bytes of a State as JSON.
  package var state = 1 << 20
  /// Bytes of memory in use beyond which what takes more is refused; nil for no limit: see
  /// ``MemoryGauge``.
  package var memory: Int?
  /// How long a session stays without a stream or a request.
  package var idleTime = Duration.seconds(1800)
  /// How long an idle session stays in memory.
  package var sleepAfter = Duration.seconds(60)
  /// How long the id of a session that ended is remembered.
  package var memoryOfEnded = Duration.seconds(600)

  package init() {}
}
