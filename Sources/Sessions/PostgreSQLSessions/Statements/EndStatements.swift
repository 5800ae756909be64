import FusionSessions

/// The statements that end sessions, of which only the reason and the time are kept.
enum EndStatements {
  /// Ends sessions if the node owns all that exist, each in the given epoch.
  static func end(
    _ sessions: [(id: SessionID, epoch: Int64)],
    as node: Int64,
    _ end: SessionEnd,
    at time: WallTime,
    in connection: Connection
  ) throws(PostgreSQLError) -> StoreError? {
    let sorted = sessions.sorted { $0.id < $1.id }
    var parameters = Parameters(node)
    parameters.addEach(sorted.map(\.id))
    parameters.addEach(sorted.map(\.epoch))
    parameters.add(end.rawValue)
    parameters.add(time)
    return try connection.run(ending, parameters).bool(0, 0) ? nil : .fenced
  }

  /// Ends idle sessions that no node owns, and returns their number.
  ///
  /// Also deletes rows that concurrent appends left behind ended sessions.
  static func expire(
    unusedFor time: Duration,
    limit: Int,
    in connection: Connection
  ) throws(PostgreSQLError) -> Int {
    try connection.run(clearingEntries)
    try connection.run(clearingKeys)
    try connection.run(keeping, Parameters(time))
    let parameters = Parameters(time, limit, SessionEnd.expired.rawValue)
    return try connection.run(expiring, parameters).int(0, 0)
  }

  static func forget(before time: WallTime, in connection: Connection) throws(PostgreSQLError) {
    try connection.run(forgetting, Parameters(time))
  }

  private static let ending = Statement(
    "end",
    awaitsStandby: true,
    """
    WITH seen AS MATERIALIZED (
      SELECT w.id, coalesce(s.owner = $1 AND s.epoch = w.epoch, FALSE) AS is_own
      FROM unnest($2::bytea[], $3::bigint[]) AS w (id, epoch) CROSS JOIN LATERAL (
        SELECT owner, epoch FROM session WHERE id = w.id FOR UPDATE
      ) s
    ), verdict AS MATERIALIZED (SELECT coalesce(bool_and(is_own), TRUE) AS stands FROM seen),
    gone AS (
      DELETE FROM session s USING seen, verdict WHERE s.id = seen.id AND verdict.stands
      RETURNING s.id
    ), \(burying("$4", "$5"))
    SELECT stands FROM verdict
    """
  )

  /// Keeps sessions with alarms that a node of a build without alarms has released.
  private static let keeping = Statement(
    "keep_alarmed",
    """
    WITH found AS MATERIALIZED (
      SELECT id FROM session s WHERE released <= clock_timestamp() - $1 * interval '1 second'
      AND EXISTS (SELECT FROM alarm WHERE session = s.id) FOR UPDATE SKIP LOCKED
    )
    UPDATE session s SET released = 'infinity' FROM found WHERE s.id = found.id
    """
  )

  private static let expiring = Statement(
    "expire",
    awaitsStandby: true,
    """
    WITH found AS MATERIALIZED (
      SELECT id FROM session s WHERE released <= clock_timestamp() - $1 * interval '1 second'
      AND NOT EXISTS (SELECT FROM alarm WHERE session = s.id)
      ORDER BY released LIMIT $2 FOR UPDATE SKIP LOCKED
    ), gone AS (DELETE FROM session s USING found WHERE s.id = found.id RETURNING s.id),
    \(burying("$3", "clock_timestamp()"))
    SELECT count(*) FROM gone
    """
  )

  /// Returns the SQL that deletes the other rows of sessions in `gone` and stores their end.
  static func burying(_ reason: String, _ time: String) -> String {
    """
    heads AS (DELETE FROM head USING gone WHERE session = gone.id),
    entries AS (DELETE FROM entry USING gone WHERE session = gone.id),
    keys AS (DELETE FROM key USING gone WHERE session = gone.id),
    alarms AS (DELETE FROM alarm USING gone WHERE session = gone.id),
    kept AS (
      INSERT INTO ended (id, reason, time) SELECT id, \(reason), \(time) FROM gone
      ON CONFLICT (id) DO UPDATE SET reason = excluded.reason, time = excluded.time
    )
    """
  }

  private static let clearingEntries = Statement("clear_entries", clearing("entry"))
  private static let clearingKeys = Statement(
    "clear_keys",
    "WITH alarms AS (\(clearing("alarm"))) \(clearing("key"))"
  )

  // An end that waits for an append does not see the rows that the append inserts. Rows of a session that
  // was created anew stay. `now()` and not
  // `clock_timestamp()`: an index needs a stable value.
  private static func clearing(_ table: String) -> String {
    """
    DELETE FROM \(table) USING ended
    WHERE session = ended.id AND ended.time > now() - interval '10 minutes'
    AND NOT EXISTS (SELECT FROM session WHERE id = ended.id)
    """
  }

  private static let forgetting = Statement("forget", "DELETE FROM ended WHERE time < $1")
}
