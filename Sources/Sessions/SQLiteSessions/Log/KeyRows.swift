import FusionSessions

/// The keys that Inputs came with: in the log as long as their entries are read, then apart, each once.
enum KeyRows {
  /// Reads all that stand apart, oldest first.
  static func read(of session: Int64, in database: Database) throws(DatabaseError) -> [KeyProgress]
  {
    let rows = try database.rows(
      """
      SELECT name, time, digest, answer, processed, count, version
      FROM key WHERE session = ? ORDER BY sequence
      """,
      .integer(session)
    )
    var keys: [KeyProgress] = []
    while let row = try rows.next() { keys.append(try key(row, from: 0)) }
    return keys
  }

  /// Reads the columns from the name on.
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
      time: WallTime(milliseconds: row.integer(first + 1))
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
        version) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      .integer(session),
      .integer(sequence),
      .text(key.key),
      .integer(key.time.milliseconds),
      .blob(key.digest),
      .integer(Int(key.answer.rawValue)),
      .integer(key.processed),
      .integer(key.count),
      .integer(key.version)
    )
  }

  /// Puts the keys of entries at some positions of the log apart, and drops those that are not kept
  /// any more.
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
        FROM log WHERE position = ?
        """,
        .integer(position)
      )
    }
    for sequence in try outdated(of: session, now: now, in: database) {
      try database.run(
        "DELETE FROM key WHERE session = ? AND sequence = ?",
        .integer(session),
        .integer(sequence)
      )
    }
  }

  private static func outdated(
    of session: Int64,
    now: WallTime,
    in database: Database
  ) throws(DatabaseError) -> [Int64] {
    var retention = KeyProgress.Retention(at: now)
    var outdated: [Int64] = []
    let rows = try database.rows(
      "SELECT sequence, name, time FROM key WHERE session = ? ORDER BY sequence DESC",
      .integer(session)
    )
    while let row = try rows.next() {
      let time = WallTime(milliseconds: row.integer(2))
      if !retention.keeps(row.text(1), from: time) { outdated.append(row.integer(0)) }
    }
    return outdated
  }
}
