package import FusionSessions

extension SQLiteSessionArchive {
  package func summaries() throws(StoreError) -> [SessionSummary] {
    var logs: [Int64: LogSummary] = [:]
    try steps { (range) throws(DatabaseError) in
      let rows = try database.rows(
        """
        SELECT session, count(*), max(version), max(time), sum(length(outcome) + length(trace))
        FROM log WHERE position > ? AND position <= ? GROUP BY session
        """,
        .integer(range.lowerBound),
        .integer(range.upperBound)
      )
      while let row = try rows.next() { logs[row.integer(0), default: LogSummary()].add(row) }
    }
    return try reading { () throws(DatabaseError) in
      var summaries: [SessionSummary] = []
      let rows = try database.rows(
        """
        SELECT number, id, view_model, created, used, length(state), version
        FROM session JOIN head ON head.session = session.number ORDER BY number
        """
      )
      while let row = try rows.next() {
        let log = logs[row.integer(0)] ?? LogSummary()
        summaries.append(
          SessionSummary(
            id: try SessionID(bytes: row.bytes(1)),
            viewModel: row.text(2),
            version: max(row.int(6), log.version),
            created: WallTime(milliseconds: row.integer(3)),
            used: WallTime(milliseconds: max(row.integer(4), log.time)),
            stateSize: row.int(5),
            entries: log.entries,
            logSize: log.size
          )
        )
      }
      return summaries
    }
  }

  package func history(
    of id: SessionID
  ) throws(StoreError) -> (session: StoredSession, log: [LogEntry])? {
    // In this order, or the log could be older.
    guard let session = try load(id) else { return nil }
    return (session, try log(of: id))
  }

  /// Reads all that is kept of a session; nil where nothing is.
  package func load(_ id: SessionID) throws(StoreError) -> StoredSession? {
    try reading { () throws(DatabaseError) in
      let mark = "SELECT value FROM mark WHERE name = 'history_end'"
      let first = try database.integer(mark) ?? 0
      return try SessionRows.read(id, in: database) { (number, head) throws(DatabaseError) in
        try entries(of: number, after: head, in: first...Int64.max)
      }
    }
  }

  /// Reads a session's log from the oldest entry that is left on, history included; empty where
  /// there is no such session.
  ///
  /// The oldest may be patches of a State that is not there any more.
  package func log(of id: SessionID) throws(StoreError) -> [LogEntry] {
    let session = try reading { () throws(DatabaseError) in
      try database.integer("SELECT number FROM session WHERE id = ?", .blob(id.bytes))
    }
    guard let session else { return [] }
    var log: [LogEntry] = []
    try steps { (range) throws(DatabaseError) in
      for entry in try entries(of: session, after: Int.min, in: range) {
        // What was between these was dropped meanwhile, and so was all before it.
        if let last = log.last, entry.sequence != last.sequence + 1 { log = [] }
        log.append(entry)
      }
    }
    return log
  }

  /// After the first position of a range, up to its last.
  private func entries(
    of session: Int64,
    after sequence: Int,
    in range: ClosedRange<Int64>
  ) throws(DatabaseError) -> [LogEntry] {
    let rows = try database.rows(
      """
      SELECT \(EntryRows.columns) FROM log
      WHERE position > ? AND position <= ? AND session = ? AND sequence > ? ORDER BY position
      """,
      .integer(range.lowerBound),
      .integer(range.upperBound),
      .integer(session),
      .integer(sequence)
    )
    var entries: [LogEntry] = []
    while let row = try rows.next() { entries.append(try EntryRows.entry(row)) }
    return entries
  }

  /// Goes through all of the log, which has no index, in a transaction for each step.
  private func steps(
    _ body: (ClosedRange<Int64>) throws(DatabaseError) -> Void
  ) throws(StoreError) {
    let (first, last) = try reading { () throws(DatabaseError) in
      (
        try database.integer("SELECT min(position) FROM log") ?? 1,
        try database.integer("SELECT max(position) FROM log") ?? 0
      )
    }
    var position = first - 1
    while position < last {
      let range = position...min(position + step, last)
      try reading { () throws(DatabaseError) in try body(range) }
      position = range.upperBound
      pause()
    }
  }

  private func reading<Found>(
    _ read: () throws(DatabaseError) -> Found
  ) throws(StoreError) -> Found {
    do {
      try database.run("BEGIN")
      let found = try read()
      try database.run("COMMIT")
      return found
    } catch {
      if database.isInTransaction { try? database.run("ROLLBACK") }
      throw error.storeError
    }
  }
}

/// What the log has of a session.
private struct LogSummary {
  var (entries, version, time, size) = (0, 0, Int64(0), 0)

  /// The columns from the second on.
  mutating func add(_ row: Row) {
    entries += row.int(1)
    version = max(version, row.int(2))
    time = max(time, row.integer(3))
    size += row.int(4)
  }
}
