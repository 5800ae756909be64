package import FusionSessions

extension SQLiteSessionArchive {
  /// Reads the newest entries in a single transaction; the log has no index, so those before a point of long ago are
  /// found by a scan.
  package func readBack(
    _ id: SessionID,
    from point: HistoryPoint,
    _ body: (LogEntry) -> Bool
  ) throws(StoreError) {
    try reading { () throws(DatabaseError) in
      guard let session = try number(of: id) else { return }
      let rows = try database.rows(
        """
        SELECT \(raw: EntryRows.columns) FROM log
        WHERE session = \(session) AND \(raw: point.condition) ORDER BY position DESC
        """
      )
      while let row = try rows.next(), body(try EntryRows.entry(row)) {}
    }
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
