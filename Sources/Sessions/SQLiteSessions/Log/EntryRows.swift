import FusionSessions

/// A log entry and a row of the log.
enum EntryRows {
  /// What ``entry(_:)`` reads, in its order.
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
    let (kind, outcome) = columns(of: entry.outcome)
    try database.run(
      """
      INSERT INTO log (position, session, sequence, time, key, version, kind, key_time, digest,
        answer, processed, count, key_version, running, outcome, trace)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      .integer(position),
      .integer(session),
      .integer(entry.sequence),
      .integer(entry.time.milliseconds),
      key.map { .text($0.key) } ?? .null,
      .integer(entry.version),
      .integer(kind),
      key.map { .integer($0.time.milliseconds) } ?? .null,
      key.map { .blob($0.digest) } ?? .null,
      key.map { .integer(Int($0.answer.rawValue)) } ?? .null,
      key.map { .integer($0.processed) } ?? .null,
      key.map { .integer($0.count) } ?? .null,
      key.map { .integer($0.version) } ?? .null,
      .blob(NameList.bytes(entry.running)),
      .blob(outcome),
      .blob(entry.trace)
    )
  }

  static func read(at position: Int64, in database: Database) throws(DatabaseError) -> LogEntry {
    let rows = try database.rows(
      "SELECT \(columns) FROM log WHERE position = ?",
      .integer(position)
    )
    guard let row = try rows.next() else { throw .damaged("entry \(position) is missing") }
    return try entry(row)
  }

  /// Reads an entry from a row of ``columns``.
  static func entry(_ row: Row) throws(DatabaseError) -> LogEntry {
    let bytes = row.bytes(4)
    let outcome: LogEntry.Outcome
    switch row.int(3) {
    case 0: outcome = .unchanged
    case 1: outcome = .state(bytes)
    case 2: outcome = .patch(bytes)
    case let kind: throw .damaged("an entry has the outcome \(kind)")
    }
    return try LogEntry(
      sequence: row.int(0),
      version: row.int(1),
      time: WallTime(milliseconds: row.integer(2)),
      outcome: outcome,
      running: row.names(5),
      trace: row.bytes(6),
      key: row.isNull(7) ? nil : KeyRows.key(row, from: 7)
    )
  }

  private static func columns(of outcome: LogEntry.Outcome) -> (kind: Int, [UInt8]) {
    switch outcome {
    case .unchanged: (0, [])
    case .state(let state): (1, state)
    case .patch(let patch): (2, patch)
    }
  }
}
