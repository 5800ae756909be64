import FusionSessions

/// Crashes at the work of sessions as rows of the table `crash`.
enum CrashRows {
  static func read(of id: SessionID, in database: Database) throws(DatabaseError) -> CrashRecord? {
    try database.first(
      "SELECT time, build, repeated FROM crash WHERE session = \(id)",
      record
    )
  }

  /// Adds a crash; does nothing if there is no such session.
  static func add(_ crash: SessionCrash, in database: Database) throws(DatabaseError) {
    let record = CrashRecord.adding(crash, to: try read(of: crash.session, in: database))
    let values = [
      record.time.sqlValue, .text(record.build), .integer(record.isRepeated ? 1 : 0),
      crash.session.sqlValue,
    ]
    try database.run(
      SQL(
        """
        INSERT OR REPLACE INTO crash (session, time, build, repeated)
        SELECT id, ?, ?, ? FROM session WHERE id = ?
        """,
        values
      )
    )
  }

  /// Finds the sessions with repeated crashes.
  static func repeated(in database: Database) throws(DatabaseError) -> [CrashedSession] {
    try database.all(
      """
      SELECT time, build, repeated, session, view_model FROM crash
      JOIN session ON session.id = crash.session WHERE repeated = 1
      """
    ) { (row) throws(DatabaseError) in
      CrashedSession(try row.id(3), viewModel: row.text(4), record(row))
    }
  }

  /// Forgets the crashes of a session; returns whether there were repeated ones.
  static func forget(_ id: SessionID, in database: Database) throws(DatabaseError) -> Bool {
    let record = try read(of: id, in: database)
    try database.run("DELETE FROM crash WHERE session = \(id)")
    return record?.isRepeated == true
  }

  private static func record(_ row: Row) -> CrashRecord {
    CrashRecord(time: row.time(0), build: row.text(1), isRepeated: row.int(2) == 1)
  }
}
