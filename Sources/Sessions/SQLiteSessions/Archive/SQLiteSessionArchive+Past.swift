package import FusionSessions

extension SQLiteSessionArchive {
  /// The number of positions that are not halved any further.
  private static var leastSpan: Int64 { 256 }

  /// Reads the newest entries in a single transaction.
  ///
  /// The log has no index: entries up to a moment are found by a scan back from the newest, those up to a version by
  /// halving the log first.
  package func readBack(
    _ id: SessionID,
    from point: HistoryPoint,
    _ body: (LogEntry) -> Bool
  ) throws(StoreError) {
    try reading { () throws(DatabaseError) in
      guard let session = try number(of: id) else { return }
      var end = Int64.max
      if case .version(let version) = point { end = try self.end(of: version, session) }
      let rows = try database.rows(
        """
        SELECT \(raw: EntryRows.columns) FROM log
        WHERE position < \(end) AND session = \(session) AND \(raw: point.condition)
        ORDER BY position DESC
        """
      )
      while let row = try rows.next(), body(try EntryRows.entry(row)) {}
    }
  }

  /// Returns a position from which on a session's entries are beyond a version: versions grow with positions.
  ///
  /// Each step reads other sessions' entries up to the next entry of this one.
  private func end(of version: Int, _ session: Int64) throws(DatabaseError) -> Int64 {
    var low = try database.integer("SELECT min(position) FROM log") ?? 0
    var high = (try database.integer("SELECT max(position) FROM log") ?? 0) + 1
    while high - low > Self.leastSpan {
      let middle = low + (high - low) / 2
      let found = try database.first(
        """
        SELECT position, version FROM log WHERE position >= \(middle)
        AND position < \(high) AND session = \(session) ORDER BY position LIMIT 1
        """
      ) { (row) throws(DatabaseError) in (position: row.integer(0), version: row.int(1)) }
      if let found, found.version <= version { low = found.position + 1 } else { high = middle }
    }
    return high
  }

  package func migrations(
    of id: SessionID,
    after sequence: Int
  ) throws(StoreError) -> [FormatChange] {
    try reading { () throws(DatabaseError) in
      guard let session = try number(of: id) else { return [] }
      let prefix = FormatChange.prefix
      return try database.all(
        """
        SELECT sequence, trace FROM log WHERE session = \(session) AND sequence > \(sequence)
        AND substr(trace, 1, \(prefix.count)) = \(prefix) ORDER BY position
        """
      ) { FormatChange($0.int(0), trace: $0.bytes(1)) }
    }
  }

  func number(of id: SessionID) throws(DatabaseError) -> Int64? {
    try database.integer("SELECT number FROM session WHERE id = \(id)")
  }
}

extension HistoryPoint {
  /// The SQL of ``covers(_:)``.
  fileprivate var condition: String {
    switch self {
    case .newest: "TRUE"
    case .version(let version): "version <= \(version)"
    case .time(let time): "time <= \(time.milliseconds)"
    }
  }
}
