import FusionSessions

/// Idempotency keys as rows: columns of the log until a head covers their entry, then rows of the table `key`.
enum KeyRows {
  /// Reads a session's rows of the table `key`, oldest first.
  static func read(of session: Int64, in database: Database) throws(DatabaseError) -> [KeyProgress]
  {
    try database.all(
      """
      SELECT name, time, digest, answer, processed, count, version
      FROM key WHERE session = \(session) ORDER BY sequence
      """
    ) { (row) throws(DatabaseError) in try key(row, from: 0) }
  }

  /// Reads a key from the columns that begin with its name.
  static func key(_ row: Row, from first: Int32) throws(DatabaseError) -> KeyProgress {
    let number = row.int(first + 3)
    guard let answer = UInt8(exactly: number).flatMap(KeyProgress.Answer.init(rawValue:)) else {
      throw .damaged("a key has the answer \(number)")
    }
    return KeyProgress(
      key: row.text(first),
      digest: row.bytes(first + 2),
      answer: answer,
      processed: row.int(first + 4),
      count: row.int(first + 5),
      version: row.int(first + 6),
      time: row.time(first + 1)
    )
  }

  static func insert(
    _ key: KeyProgress,
    of session: Int64,
    sequence: Int,
    in database: Database
  ) throws(DatabaseError) {
    try database.run(
      """
      INSERT OR REPLACE INTO key (session, sequence, name, time, digest, answer, processed, count,
        version)
      VALUES (\(session), \(sequence), \(key.key), \(key.time), \(key.digest),
        \(Int(key.answer.rawValue)), \(key.processed), \(key.count), \(key.version))
      """
    )
  }

  /// Copies the keys of entries at some positions of the log to the table `key`, and deletes outdated ones there.
  static func keep(
    _ positions: some Sequence<Int64>,
    of session: Int64,
    now: WallTime,
    in database: Database
  ) throws(DatabaseError) {
    for position in positions {
      try database.run(
        """
        INSERT OR REPLACE INTO key (session, sequence, name, time, digest, answer, processed, count,
          version)
        SELECT session, sequence, key, key_time, digest, answer, processed, count, key_version
        FROM log WHERE position = \(position)
        """
      )
    }
    var retention = KeyProgress.Retention(at: now)
    let kept = try database.all(
      "SELECT sequence, name, time FROM key WHERE session = \(session) ORDER BY sequence DESC"
    ) { (sequence: $0.integer(0), isKept: retention.keeps($0.text(1), from: $0.time(2))) }
    for (sequence, isKept) in kept where !isKept {
      try database.run("DELETE FROM key WHERE session = \(session) AND sequence = \(sequence)")
    }
  }
}
