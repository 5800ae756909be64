/// What commits wait for.
enum Standbys {
  /// Whether a commit of this user waits for a synchronous standby; of others a user may not see that
  /// (https://www.postgresql.org/docs/current/monitoring-stats.html#MONITORING-PG-STAT-ACTIVITY-VIEW).
  static func areAwaited(in connection: Connection) throws(PostgreSQLError) -> Bool {
    try connection.run(awaiting).bool(0, 0)
  }

  private static let awaiting = Statement(
    "standbys",
    """
    SELECT EXISTS (
      SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND usename = current_user AND wait_event = 'SyncRep'
    )
    """
  )
}
