import Dispatch
import Synchronization

/// The state of the server, shared by all connections; each change of it is reported once.
final class Health: Sendable {
  private struct Contents {
    var isDown = false
    /// The faults, other than an outage, that were reported since a change was committed.
    var reported: Set<ConnectionFault> = []
    /// Whether it was reported that commits wait for a standby.
    var isExplained = false
    var isChecking = false
  }

  private let contents = Mutex(Contents())
  private let report: @Sendable (PostgreSQLEvent) -> Void
  private let commitsWait: @Sendable () -> Bool

  /// - Parameters:
  ///   - commitsWait: returns whether commits wait for a standby; called on a thread of its own.
  ///   - report: called with each change.
  init(
    commitsWait: @escaping @Sendable () -> Bool,
    _ report: @escaping @Sendable (PostgreSQLEvent) -> Void
  ) {
    self.commitsWait = commitsWait
    self.report = report
  }

  func failed(_ error: PostgreSQLError) {
    let fault = ConnectionFault(error.text)
    let hadNoAnswer = if case .lost = error.kind { true } else { false }
    let (isNews, mustCheck) = contents.withLock { contents in
      defer { contents.isDown = true }
      let mustCheck = hadNoAnswer && !contents.isExplained && !contents.isChecking
      if mustCheck { contents.isChecking = true }
      let isOther =
        ![.away, .starting, .other].contains(fault) && contents.reported.insert(fault).inserted
      return (!contents.isDown || isOther, mustCheck)
    }
    if isNews { report(.unreachable(error.text.withAdvice)) }
    if mustCheck { checkStandby() }
  }

  /// Notes that a change is committed; a new connection or a read would not prove that the server takes changes.
  func succeeded() {
    let isNews = contents.withLock { contents in
      guard contents.isDown else { return false }
      contents.isDown = false
      contents.reported = []
      contents.isExplained = false
      return true
    }
    if isNews { report(.reconnected) }
  }

  private func checkStandby() {
    DispatchQueue.global().async { [self] in
      let isWaiting = commitsWait()
      let isNews = contents.withLock { contents in
        contents.isChecking = false
        guard isWaiting, contents.isDown else { return false }
        contents.isExplained = true
        return true
      }
      if isNews { report(.waitsForStandby) }
    }
  }
}

extension Connection {
  /// Returns whether a commit of this user waits for a synchronous standby; those of other users may be hidden
  /// (https://www.postgresql.org/docs/current/monitoring-stats.html#MONITORING-PG-STAT-ACTIVITY-VIEW).
  func hasCommitsWaiting() throws(PostgreSQLError) -> Bool {
    try run(Self.waitingCommits).bool(0, 0)
  }

  private static let waitingCommits = Statement(
    "standbys",
    """
    SELECT EXISTS (
      SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND usename = current_user AND wait_event = 'SyncRep'
    )
    """
  )
}
