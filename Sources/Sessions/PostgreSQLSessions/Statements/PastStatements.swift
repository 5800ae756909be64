import FusionSessions

/// The statements that read a session's log backwards.
enum PastStatements {
  /// The most rows that are read at once.
  private static let mostRows = 64

  static func readBack(
    _ id: SessionID,
    from point: HistoryPoint,
    in connection: Connection,
    _ body: (LogEntry) -> Bool
  ) throws(PostgreSQLError) {
    var next = Int.max
    if case .version(let version) = point { next = try end(of: version, id, in: connection) }
    // A row may have one short patch, or hundreds of entries.
    var step = 2
    while true {
      let rows = try connection.run(back, Parameters(id, next, step))
      for row in rows.indices {
        next = rows.int(row, 0) - rows.int(row, 1)
        for entry in try entries(rows, row).reversed() where point.covers(entry) {
          guard body(entry) else { return }
        }
      }
      guard rows.count == step else { return }
      step = min(2 * step, mostRows)
    }
  }

  /// Returns the first row that may have an entry beyond a version, by halving: versions grow with sequences.
  private static func end(
    of version: Int,
    _ id: SessionID,
    in connection: Connection
  ) throws(PostgreSQLError) -> Int {
    let newest = try connection.run(back, Parameters(id, Int.max, 1))
    guard newest.count == 1 else { return .max }
    var (low, high) = (0, newest.int(0, 0))
    while low < high {
      let middle = low + (high - low) / 2
      let row = try connection.run(first, Parameters(id, middle))
      if row.count == 1, row.int(0, 1) <= version {
        low = row.int(0, 0) + 1
      } else {
        high = middle
      }
    }
    let row = try connection.run(first, Parameters(id, low))
    return row.count == 1 ? row.int(0, 0) : .max
  }

  static func migrations(
    of id: SessionID,
    after sequence: Int,
    in connection: Connection
  ) throws(PostgreSQLError) -> [FormatChange] {
    let rows = try connection.run(migrated, Parameters(id, FormatChange.prefix, sequence))
    var changes: [FormatChange] = []
    for row in rows.indices {
      for entry in try entries(rows, row)
      where entry.sequence > sequence && entry.trace.starts(with: FormatChange.prefix) {
        changes.append(FormatChange(entry.sequence, trace: entry.trace))
      }
    }
    return changes
  }

  private static func entries(_ rows: Rows, _ row: Int) throws(PostgreSQLError) -> [LogEntry] {
    let (last, count) = (rows.int(row, 0), rows.int(row, 1))
    return try PackedEntries(rows.bytes(row, 2), count: count, last: last).entries
  }

  private static let first = Statement(
    "first_row",
    """
    SELECT sequence, version FROM entry WHERE session = $1 AND sequence >= $2
    ORDER BY sequence LIMIT 1
    """
  )

  private static let back = Statement(
    "read_back",
    """
    SELECT sequence, entries, body FROM entry WHERE session = $1 AND sequence <= $2
    ORDER BY sequence DESC LIMIT $3
    """
  )

  private static let migrated = Statement(
    "migrations",
    """
    SELECT sequence, entries, body FROM entry WHERE session = $1 AND sequence > $3
      AND NOT EXISTS (SELECT FROM head WHERE session = $1 AND reformatted <= $3) AND position($2 IN body) > 0
    ORDER BY sequence
    """
  )
}
