import Sessions

/// A journal entry and a row of the log.
enum EntryRows {
  /// What ``entry(_:)`` reads, in its order.
  static let columns = """
    sequence, version, time, kind, outcome, running, trace, \
    key, key_body, key_time, receipt_kind, receipt_version, preferences, receipt_state
    """

  /// Writes an entry at a position of the log.
  static func insert(
    _ entry: JournalEntry,
    of session: Int64,
    at position: Int64,
    in database: Database
  ) throws(DatabaseError) {
    let answer = entry.answer
    let (kind, outcome) = columns(of: entry.outcome)
    try database.run(
      """
      INSERT INTO log (position, session, sequence, time, key, version, kind, key_time, key_body,
        receipt_kind, receipt_version, preferences, running, outcome, trace, receipt_state)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      .integer(position),
      .integer(session),
      .integer(entry.sequence),
      .integer(entry.time.milliseconds),
      answer.map { .text($0.key) } ?? .null,
      .integer(entry.version),
      .integer(kind),
      answer.map { .integer($0.time.milliseconds) } ?? .null,
      answer.map { .blob($0.body) } ?? .null,
      answer.map { .integer(Int($0.receipt.kind.rawValue)) } ?? .null,
      answer.map { .integer($0.receipt.version) } ?? .null,
      answer.map { .text($0.receipt.preferences) } ?? .null,
      .blob(NameList.bytes(entry.running)),
      .blob(outcome),
      .blob(entry.trace),
      // Most answers show the State that the entry has anyway.
      answer.map { $0.receipt.state == outcome ? .null : .blob($0.receipt.state) } ?? .null
    )
  }

  /// Reads an entry from a row of ``columns``.
  static func entry(_ row: Row) throws(DatabaseError) -> JournalEntry {
    let bytes = row.bytes(4)
    let outcome: JournalEntry.Outcome
    switch row.int(3) {
    case 0: outcome = .unchanged
    case 1: outcome = .state(bytes)
    case 2: outcome = .patch(bytes)
    case let kind: throw .damaged("an entry has the outcome \(kind)")
    }
    return try JournalEntry(
      sequence: row.int(0),
      version: row.int(1),
      time: WallTime(milliseconds: row.integer(2)),
      outcome: outcome,
      running: NameList.names(row.bytes(5)),
      trace: row.bytes(6),
      answer: row.isNull(7)
        ? nil : AnswerRows.answer(row, from: 7, state: row.isNull(13) ? bytes : row.bytes(13))
    )
  }

  private static func columns(of outcome: JournalEntry.Outcome) -> (kind: Int, [UInt8]) {
    switch outcome {
    case .unchanged: (0, [])
    case .state(let state): (1, state)
    case .patch(let patch): (2, patch)
    }
  }
}
