import FusionSessions

/// Log entries as rows of the table `log`.
enum EntryRows {
  /// The columns that ``entry(_:)`` reads, in their order.
  static let columns = """
    sequence, version, time, kind, outcome, running, trace, \
    key, key_time, digest, answer, processed, count, key_version
    """

  /// Writes an entry at a position of the log.
  static func insert(
    _ entry: LogEntry,
    of session: Int64,
    at position: Int64,
    in database: Database
  ) throws(DatabaseError) {
    let key = entry.key
    let values: [SQL.Value] = [
      .integer(position), .integer(session), .integer(entry.sequence), entry.time.sqlValue,
      key?.key.sqlValue ?? .null, .integer(entry.version), .integer(Int(entry.kind)),
      key?.time.sqlValue ?? .null, key?.digest.sqlValue ?? .null,
      key.map { .integer(Int($0.answer.rawValue)) } ?? .null, key?.processed.sqlValue ?? .null,
      key?.count.sqlValue ?? .null, key?.version.sqlValue ?? .null,
      .blob(entry.running.bytes), .blob(entry.outcome.bytes),
      .blob(entry.trace),
    ]
    try database.run(SQL(insertion, values))
  }

  // A constant, so that it is not built anew for each entry.
  private static let insertion = """
    INSERT INTO log (position, session, sequence, time, key, version, kind, key_time, digest,
      answer, processed, count, key_version, running, outcome, trace)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  /// Reads the entry at a position of the log.
  static func read(at position: Int64, in database: Database) throws(DatabaseError) -> LogEntry {
    let sql: SQL = "SELECT \(raw: columns) FROM log WHERE position = \(position)"
    guard let entry = try database.first(sql, entry) else {
      throw .damaged("entry \(position) is missing")
    }
    return entry
  }

  /// Reads an entry from a row of ``columns``.
  static func entry(_ row: Row) throws(DatabaseError) -> LogEntry {
    let kind = row.int(3)
    guard let outcome = LogEntry.Outcome(kind: kind, row.bytes(4)) else {
      throw .damaged("an entry has the outcome \(kind)")
    }
    guard let names = RunningNames(kind: kind, row.bytes(5)) else {
      throw .damaged("an entry's names of what runs cannot be read")
    }
    return try LogEntry(
      sequence: row.int(0),
      version: row.int(1),
      time: row.time(2),
      outcome: outcome,
      running: names,
      trace: row.bytes(6),
      key: row.isNull(7) ? nil : KeyRows.key(row, from: 7)
    )
  }
}
