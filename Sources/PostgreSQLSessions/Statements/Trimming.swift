import FusionSessions

/// Dropping old history of sessions whose State was stored in whole.
enum Trimming {
  static func trim(
    _ ids: [SessionID],
    entries: Int,
    bytes: Int,
    in connection: Connection
  ) throws(PostgreSQLError) {
    var parameters = Parameters()
    parameters.addEach(ids.sorted())
    parameters.add(entries)
    parameters.add(bytes)
    try connection.run(trimming, parameters)
    parameters = Parameters()
    parameters.addEach(ids.sorted())
    parameters.add(IdempotencyKeys.lifetime)
    parameters.add(IdempotencyKeys.limit)
    try connection.run(dropping, parameters)
  }

  // The keys of entries that go are kept apart. Nothing is lost with the server: so nobody waits for its disk.
  private static let trimming = Statement(
    "trim",
    """
    WITH cut AS MATERIALIZED (
      SELECT w.id, c.sequence
      FROM unnest($1::bytea[]) AS w (id) JOIN head h ON h.session = w.id CROSS JOIN LATERAL (
        SELECT max(sequence) AS sequence FROM (
          SELECT e.sequence, row_number() OVER newest AS entries,
            sum(octet_length(outcome) + octet_length(trace)) OVER newest AS bytes
          FROM entry e WHERE e.session = w.id AND e.sequence <= h.sequence
          WINDOW newest AS (ORDER BY e.sequence DESC)
        ) history WHERE entries > $2 OR bytes > $3
      ) c WHERE c.sequence IS NOT NULL
    ), gone AS (
      DELETE FROM entry e USING cut WHERE e.session = cut.id AND e.sequence <= cut.sequence
      RETURNING e.*
    ), kept AS (
      INSERT INTO key (session, name, sequence, time, digest, answer, processed, count, version)
      SELECT DISTINCT ON (session, key)
        session, key, sequence, key_time, digest, answer, processed, count, key_version
      FROM gone WHERE key IS NOT NULL ORDER BY session, key, sequence DESC
      ON CONFLICT (session, name) DO UPDATE SET sequence = excluded.sequence, time = excluded.time,
        digest = excluded.digest, answer = excluded.answer, processed = excluded.processed,
        count = excluded.count, version = excluded.version WHERE key.sequence < excluded.sequence
    )
    SELECT set_config('synchronous_commit', 'off', TRUE)
    """
  )

  // What goes is found once for each session, not for each of its keys.
  private static let dropping = Statement(
    "drop_keys",
    """
    WITH cut AS MATERIALIZED (
      SELECT w.id, s.used - $2 * interval '1 second' AS time, (
        SELECT sequence FROM key WHERE session = w.id ORDER BY sequence DESC OFFSET $3 LIMIT 1
      ) AS sequence
      FROM unnest($1::bytea[]) AS w (id) JOIN session s ON s.id = w.id
    ), gone AS (
      DELETE FROM key k USING cut
      WHERE k.session = cut.id AND (k.time <= cut.time OR k.sequence <= cut.sequence)
    )
    SELECT set_config('synchronous_commit', 'off', TRUE)
    """
  )
}
