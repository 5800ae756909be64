import FusionSessions

/// The statements on the table `crash`.
enum CrashStatements {
  static func read(
    of id: SessionID,
    in connection: Connection
  ) throws(PostgreSQLError) -> CrashRecord? {
    let rows = try connection.run(reading, Parameters(id))
    return rows.count == 0 ? nil : record(rows, 0)
  }

  /// Adds a crash; does nothing if there is no such session.
  ///
  /// Crashes of one session's nodes follow one another by a lease at least: none is added meanwhile.
  static func add(_ crash: SessionCrash, in connection: Connection) throws(PostgreSQLError) {
    let record = CrashRecord.adding(crash, to: try read(of: crash.session, in: connection))
    try connection.run(
      adding,
      Parameters(crash.session, record.time, record.build, record.isRepeated)
    )
  }

  /// Finds the sessions with repeated crashes.
  static func repeated(in connection: Connection) throws(PostgreSQLError) -> [CrashedSession] {
    let rows = try connection.run(finding)
    return try rows.indices.map { (row) throws(PostgreSQLError) in
      CrashedSession(try rows.id(row, 3), viewModel: rows.text(row, 4), record(rows, row))
    }
  }

  /// Forgets the crashes of a session; returns whether there were repeated ones.
  static func forget(
    _ id: SessionID,
    in connection: Connection
  ) throws(PostgreSQLError) -> Bool {
    let rows = try connection.run(forgetting, Parameters(id))
    return rows.count == 1 && rows.bool(0, 0)
  }

  private static func record(_ rows: Rows, _ row: Int) -> CrashRecord {
    CrashRecord(
      time: rows.time(row, 0),
      build: rows.text(row, 1),
      isRepeated: rows.bool(row, 2)
    )
  }

  private static let reading = Statement(
    "crash",
    "SELECT time, build, repeated FROM crash WHERE session = $1"
  )

  private static let adding = Statement(
    "add_crash",
    awaitsStandby: true,
    """
    INSERT INTO crash (session, time, build, repeated)
    SELECT id, $2, $3, $4 FROM session WHERE id = $1
    ON CONFLICT (session) DO UPDATE
    SET time = excluded.time, build = excluded.build, repeated = excluded.repeated
    """
  )

  private static let finding = Statement(
    "crashed",
    """
    SELECT c.time, c.build, c.repeated, c.session, s.view_model
    FROM crash c JOIN session s ON s.id = c.session WHERE c.repeated
    """
  )

  private static let forgetting = Statement(
    "forget_crash",
    "DELETE FROM crash WHERE session = $1 RETURNING repeated"
  )
}
