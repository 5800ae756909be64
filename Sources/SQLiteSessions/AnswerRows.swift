import Sessions

/// The answers to Inputs with a key: in the log as long as their entries are read, then apart.
enum AnswerRows {
  /// Reads all that stand apart, oldest first.
  static func read(of session: Int64, in database: Database) throws(DatabaseError) -> [KeyedAnswer]
  {
    let rows = try database.rows(
      """
      SELECT key, key_body, key_time, receipt_kind, receipt_version, preferences, receipt_state
      FROM answer WHERE session = ? ORDER BY sequence
      """,
      .integer(session)
    )
    var answers: [KeyedAnswer] = []
    while let row = try rows.next() {
      answers.append(try answer(row, from: 0, state: row.bytes(6)))
    }
    return answers
  }

  /// Reads the columns from `key` on.
  static func answer(
    _ row: Row,
    from first: Int32,
    state: [UInt8]
  ) throws(DatabaseError) -> KeyedAnswer {
    guard let kind = UInt8(exactly: row.int(first + 3)).flatMap(Receipt.Kind.init(rawValue:)) else {
      throw .damaged("an answer has the kind \(row.int(first + 3))")
    }
    return KeyedAnswer(
      key: row.text(first),
      body: row.bytes(first + 1),
      receipt: Receipt(
        kind,
        version: row.int(first + 4),
        state: state,
        preferences: row.text(first + 5)
      ),
      time: WallTime(milliseconds: row.integer(first + 2))
    )
  }

  static func insert(
    _ answer: KeyedAnswer,
    of session: Int64,
    sequence: Int,
    in database: Database
  ) throws(DatabaseError) {
    try database.run(
      """
      INSERT INTO answer (session, sequence, key, key_time, key_body, receipt_kind,
        receipt_version, preferences, receipt_state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      .integer(session),
      .integer(sequence),
      .text(answer.key),
      .integer(answer.time.milliseconds),
      .blob(answer.body),
      .integer(Int(answer.receipt.kind.rawValue)),
      .integer(answer.receipt.version),
      .text(answer.receipt.preferences),
      .blob(answer.receipt.state)
    )
  }

  /// Puts the answers of entries at some positions of the log apart, and drops those that are not
  /// kept any more.
  static func settle(
    _ positions: some Sequence<Int64>,
    of session: Int64,
    now: WallTime,
    in database: Database
  ) throws(DatabaseError) {
    for position in positions {
      try database.run(
        """
        INSERT INTO answer (session, sequence, key, key_time, key_body, receipt_kind,
          receipt_version, preferences, receipt_state)
        SELECT session, sequence, key, key_time, key_body, receipt_kind, receipt_version,
          preferences, coalesce(receipt_state, outcome) FROM log WHERE position = ?
        """,
        .integer(position)
      )
    }
    for sequence in try outdated(of: session, now: now, in: database) {
      try database.run(
        "DELETE FROM answer WHERE session = ? AND sequence = ?",
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
    var retention = KeyedAnswer.Retention(at: now)
    var outdated: [Int64] = []
    let rows = try database.rows(
      "SELECT sequence, key, key_time FROM answer WHERE session = ? ORDER BY sequence DESC",
      .integer(session)
    )
    while let row = try rows.next() {
      let time = WallTime(milliseconds: row.integer(2))
      if !retention.keeps(row.text(1), from: time) { outdated.append(row.integer(0)) }
    }
    return outdated
  }
}
