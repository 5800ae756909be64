import FusionSessions

/// The statements that drop the old history and keys of sessions after a new head.
enum TrimStatements {
  /// A part of a session's history.
  enum Part {
    case span(after: Int, through: Int)
    /// The oldest entries beyond the limit, and those up to a time.
    case beyondLimit(WallTime?)
    /// The oldest entries, up to a time.
    case outdated(WallTime)
  }

  typealias OldHistory = (session: SessionID, part: Part)

  static func trim(
    _ old: [OldHistory],
    entries: Int,
    bytes: Int,
    in connection: Connection
  ) throws(PostgreSQLError) {
    var (spans, others): ([(id: SessionID, after: Int, through: Int)], [SessionID]) = ([], [])
    var outdated: [(id: SessionID, time: [UInt8])] = []
    func drop(_ id: SessionID, upTo time: WallTime) {
      var bytes: [UInt8] = []
      time.write(to: &bytes)
      outdated.append((id, bytes))
    }
    for (id, part) in old.sorted(by: { $0.session < $1.session }) {
      switch part {
      case .span(let after, let through): spans.append((id, after, through))
      case .beyondLimit(let time):
        others.append(id)
        if let time { drop(id, upTo: time) }
      case .outdated(let time): drop(id, upTo: time)
      }
    }
    if !spans.isEmpty {
      var parameters = Parameters()
      parameters.addEach(spans) { $0.id }
      parameters.addEach(spans) { $0.after }
      parameters.addEach(spans) { $0.through }
      try connection.run(cutting, parameters)
    }
    if !others.isEmpty {
      var parameters = Parameters()
      parameters.addEach(others)
      parameters.add(entries)
      parameters.add(bytes)
      try connection.run(trimming, parameters)
    }
    if !outdated.isEmpty {
      var parameters = Parameters()
      parameters.addEach(outdated) { $0.id }
      parameters.addEach(outdated) { $0.time }
      try connection.run(aging, parameters)
    }
    var parameters = Parameters()
    parameters.addEach(old.map(\.session).sorted())
    parameters.add(KeyProgress.lifetime)
    parameters.add(KeyProgress.limit)
    parameters.add(KeyProgress.senderLimit)
    try connection.run(dropping, parameters)
  }

  // A deletion that is lost with the server does no harm, so the commit does not wait for the disk. The lower bound
  // spares a scan of index entries of deleted rows.
  private static let cutting = Statement(
    "trim_spans",
    """
    WITH gone AS (
      DELETE FROM entry e USING unnest($1::bytea[], $2::bigint[], $3::bigint[]) AS w (id, first, last)
      WHERE e.session = w.id AND e.sequence > w.first AND e.sequence <= w.last
    )
    SELECT set_config('synchronous_commit', 'off', TRUE)
    """
  )

  private static let trimming = Statement(
    "trim",
    """
    WITH cut AS MATERIALIZED (
      SELECT w.id, c.sequence
      FROM unnest($1::bytea[]) AS w (id) JOIN head h ON h.session = w.id CROSS JOIN LATERAL (
        SELECT max(sequence) AS sequence FROM (
          SELECT e.sequence, sum(e.entries) OVER newest AS entries,
            sum(octet_length(body)) OVER newest AS bytes
          FROM entry e WHERE e.session = w.id AND e.sequence <= h.sequence
          WINDOW newest AS (ORDER BY e.sequence DESC)
        ) history WHERE entries > $2 OR bytes > $3
      ) c WHERE c.sequence IS NOT NULL
    ), gone AS (
      DELETE FROM entry e USING cut WHERE e.session = cut.id AND e.sequence <= cut.sequence
    )
    SELECT set_config('synchronous_commit', 'off', TRUE)
    """
  )

  // A row begins with the time of its first entry, whose bytes sort as the time does; its last entry is hardly younger.
  // Rows are read from the oldest one to the first that stays.
  private static let aging = Statement(
    "trim_outdated",
    """
    WITH cut AS MATERIALIZED (
      SELECT w.id, least(h.sequence, (
        SELECT sequence - 1 FROM entry WHERE session = w.id AND substring(body, 1, 8) > w.time
        ORDER BY sequence LIMIT 1
      )) AS sequence
      FROM unnest($1::bytea[], $2::bytea[]) AS w (id, time) JOIN head h ON h.session = w.id
    ), gone AS (
      DELETE FROM entry e USING cut WHERE e.session = cut.id AND e.sequence <= cut.sequence
    )
    SELECT set_config('synchronous_commit', 'off', TRUE)
    """
  )

  // The bounds are computed once for each session, not for each of its keys. Keys of messages begin with a space.
  private static let dropping = Statement(
    "drop_keys",
    """
    WITH cut AS MATERIALIZED (
      SELECT w.id, s.used - $2 * interval '1 second' AS time, (
        SELECT sequence FROM key WHERE session = w.id AND substring(name, 1, 1) <> ' '::bytea
        ORDER BY sequence DESC OFFSET $3 LIMIT 1
      ) AS sequence, (
        SELECT sequence FROM key WHERE session = w.id AND substring(name, 1, 1) = ' '::bytea
        ORDER BY sequence DESC OFFSET $4 LIMIT 1
      ) AS message
      FROM unnest($1::bytea[]) AS w (id) JOIN session s ON s.id = w.id
    ), gone AS (
      DELETE FROM key k USING cut
      WHERE k.session = cut.id AND CASE WHEN substring(k.name, 1, 1) = ' '::bytea
        THEN k.sequence <= cut.message ELSE k.time <= cut.time OR k.sequence <= cut.sequence END
    )
    SELECT set_config('synchronous_commit', 'off', TRUE)
    """
  )
}
