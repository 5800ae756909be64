import FusionKeyedDigest

/// Tables of an older shape, made into those of today: all of it in one transaction.
extension Schema {
  static func migrate(_ database: Database, from number: Int) throws(DatabaseError) {
    do throws(DatabaseError) {
      try database.run("BEGIN IMMEDIATE")
      if number < 2 { try dropAnswers(from: database) }
      try database.run("PRAGMA user_version = \(version)")
      try database.run("COMMIT")
    } catch {
      if database.isInTransaction { try? database.run("ROLLBACK") }
      throw error
    }
  }

  /// Shape 1 kept an answer for each key, with its State, and the SHA-256 of the body; the end of the
  /// history was called settled.
  private static func dropAnswers(from database: Database) throws(DatabaseError) {
    // 0 and 1 were answers with a State, 2 without, 3 before it was processed.
    let answer = "CASE receipt_kind WHEN 2 THEN 1 WHEN 3 THEN 2 ELSE 0 END"
    try database.run(secretTable)
    try makeSecret(in: database)
    try database.run("ALTER TABLE log RENAME TO old_log")
    try database.run(logTable)
    try database.run(
      """
      INSERT INTO log (position, session, sequence, time, key, version, kind, key_time,
        digest, answer, processed, count, key_version, running, outcome, trace)
      SELECT position, session, sequence, time, key, version, kind, key_time, key_body,
        iif(key IS NULL, NULL, \(answer)), iif(key IS NULL, NULL, 1),
        iif(key IS NULL, NULL, 1), receipt_version, running, outcome, trace FROM old_log
      """
    )
    try database.run("DROP TABLE old_log")
    try database.run(keyTable)
    try database.run(
      """
      INSERT INTO key (session, sequence, name, time, digest, answer, processed, count, version)
      SELECT session, sequence, key, key_time, key_body, \(answer), 1, 1, receipt_version
      FROM answer
      """
    )
    try database.run("DROP TABLE answer")
    try digestAgain(in: database)
    try database.run("UPDATE mark SET name = 'history_end' WHERE name = 'settled'")
  }

  /// Makes digests with the secret of what were digests without one.
  private static func digestAgain(in database: Database) throws(DatabaseError) {
    let digest = KeyedDigest(secret: try secret(in: database))
    for table in ["log", "key"] {
      var bodies: Set<[UInt8]> = []
      let rows = try database.rows("SELECT DISTINCT digest FROM \(table) WHERE digest NOT NULL")
      while let row = try rows.next() { bodies.insert(row.bytes(0)) }
      for body in bodies {
        try database.run(
          "UPDATE \(table) SET digest = ? WHERE digest = ?",
          .blob(digest.digest(of: body)),
          .blob(body)
        )
      }
    }
  }
}
