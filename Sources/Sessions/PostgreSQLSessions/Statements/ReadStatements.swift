import FusionSessions

/// The statements that read sessions.
enum ReadStatements {
  static func read(
    _ id: SessionID,
    in connection: Connection
  ) throws(PostgreSQLError) -> StoredSession? {
    let parameters = Parameters(id)
    let rows = try connection.run(session, parameters)
    guard rows.count == 1 else { return nil }
    let head = StoredHead(
      sequence: rows.int(0, 4),
      version: rows.int(0, 5),
      format: rows.int(0, 6),
      state: rows.bytes(0, 8),
      running: try rows.names(0, 7)
    )
    let keys = try connection.run(keys, parameters)
    var result = StoredSession(
      id: id,
      viewModel: rows.text(0, 0),
      parameters: rows.bytes(0, 1),
      identity: rows.optionalText(0, 9),
      creator: rows.optionalText(0, 13),
      name: rows.optionalText(0, 10),
      created: rows.time(0, 2),
      used: rows.time(0, 3),
      head: head,
      entries: try entries(of: id, after: head.sequence, in: connection),
      keys: try keys.indices.map { (row) throws(PostgreSQLError) in try KeyColumns.key(keys, row) },
      alarms: rows.bool(0, 11) ? try AlarmStatements.read(of: id, in: connection) : [],
      crashes: rows.bool(0, 12) ? try CrashStatements.read(of: id, in: connection) : nil
    )
    result.dropOutdatedKeys()
    return result
  }

  /// Reads a session, and all its entries, history included.
  static func history(
    of id: SessionID,
    in connection: Connection
  ) throws(PostgreSQLError) -> (session: StoredSession, log: [LogEntry])? {
    guard let session = try read(id, in: connection) else { return nil }
    return (session, try entries(of: id, after: .min, in: connection))
  }

  private static func entries(
    of id: SessionID,
    after sequence: Int,
    in connection: Connection
  ) throws(PostgreSQLError) -> [LogEntry] {
    let rows = try connection.run(entries, Parameters(id, sequence))
    var entries: [LogEntry] = []
    for row in rows.indices {
      let (last, count) = (rows.int(row, 0), rows.int(row, 1))
      let packed = try PackedEntries(rows.bytes(row, 2), count: count, last: last)
      // A row may begin with entries that the head covers.
      entries += packed.entries.drop { $0.sequence <= sequence }
    }
    return entries
  }

  /// Lists sessions without a living owner in which something was running.
  static func interrupted(
    after number: Int64,
    in connection: Connection
  ) throws(PostgreSQLError) -> InterruptedSessions {
    let rows = try connection.run(interrupted, Parameters(number))
    var found = InterruptedSessions()
    found.sessions = try rows.indices.map { (row) throws(PostgreSQLError) in
      .init(try rows.id(row, 1), viewModel: rows.text(row, 2))
    }
    if rows.count == step { found.next = rows.integer(step - 1, 0) }
    return found
  }

  private static let step = 64

  private static let session = Statement(
    "session",
    """
    SELECT view_model, parameters, created, used, h.sequence, version, format, h.running, state,
      identity, session_name, EXISTS (SELECT FROM alarm WHERE session = id),
      EXISTS (SELECT FROM crash WHERE session = id), creator
    FROM session JOIN head h ON h.session = id WHERE id = $1
    """
  )

  private static let entries = Statement(
    "entries",
    """
    SELECT sequence, entries, body FROM entry WHERE session = $1 AND sequence > $2 ORDER BY sequence
    """
  )

  private static let keys = Statement(
    "keys",
    "SELECT \(KeyColumns.names) FROM key WHERE session = $1 ORDER BY sequence"
  )

  private static let interrupted = Statement(
    "interrupted",
    """
    SELECT interrupted, id, view_model FROM session WHERE interrupted > $1
    ORDER BY interrupted LIMIT \(step)
    """
  )
}
