import FusionKeyedDigest

/// The migration of older schemas.
extension Schema {
  /// Migrates the tables from an older version, in one transaction.
  static func migrate(_ database: Database, from number: Int) throws(DatabaseError) {
    try database.transaction { () throws(DatabaseError) in
      if number < 2 { try migrateTo2(database) }
      if number < 3 { try migrateTo3(database) }
      // Version 3 had no shares.
      if number < 4 { for table in shareTables { try database.run(SQL(table)) } }
      // Version 4 kept no crashes.
      if number < 5 { for table in crashTables { try database.run(SQL(table)) } }
      try database.run("PRAGMA user_version = \(raw: version)")
    }
  }

  /// Migrates from version 1, which kept the answer to each key with its State, and the SHA-256 of the body, and
  /// named the mark `history_end` settled.
  private static func migrateTo2(_ database: Database) throws(DatabaseError) {
    // In version 1, kinds 0 and 1 were answers with a State, 2 without, and 3 before the Input was processed.
    let answer = "CASE receipt_kind WHEN 2 THEN 1 WHEN 3 THEN 2 ELSE 0 END"
    try database.run(SQL(secretTable))
    try createSecret(in: database)
    try database.run("ALTER TABLE log RENAME TO old_log")
    try database.run(SQL(logTable))
    try database.run(
      """
      INSERT INTO log (position, session, sequence, time, key, version, kind, key_time,
        digest, answer, processed, count, key_version, running, outcome, trace)
      SELECT position, session, sequence, time, key, version, kind, key_time, key_body,
        iif(key IS NULL, NULL, \(raw: answer)), iif(key IS NULL, NULL, 1),
        iif(key IS NULL, NULL, 1), receipt_version, running, outcome, trace FROM old_log
      """
    )
    try database.run("DROP TABLE old_log")
    try database.run(SQL(keyTable))
    try database.run(
      """
      INSERT INTO key (session, sequence, name, time, digest, answer, processed, count, version)
      SELECT session, sequence, key, key_time, key_body, \(raw: answer), 1, 1, receipt_version
      FROM answer
      """
    )
    try database.run("DROP TABLE answer")
    try keyDigests(in: database)
    try database.run("UPDATE mark SET name = 'history_end' WHERE name = 'settled'")
  }

  /// Migrates from version 2, whose sessions had no names, alarms or identities.
  private static func migrateTo3(_ database: Database) throws(DatabaseError) {
    try database.run("ALTER TABLE session ADD COLUMN identity TEXT")
    try database.run("ALTER TABLE session ADD COLUMN name TEXT")
    try database.run(SQL(nameIndex))
    for table in alarmTables { try database.run(SQL(table)) }
  }

  /// Replaces each digest without a key by its digest with the secret.
  private static func keyDigests(in database: Database) throws(DatabaseError) {
    let digest = KeyedDigest(secret: try secret(in: database))
    for table in ["log", "key"] {
      let bodies = try database.all(
        "SELECT DISTINCT digest FROM \(raw: table) WHERE digest NOT NULL"
      ) { $0.bytes(0) }
      for body in bodies {
        try database.run(
          "UPDATE \(raw: table) SET digest = \(digest.digest(of: body)) WHERE digest = \(body)"
        )
      }
    }
  }
}
