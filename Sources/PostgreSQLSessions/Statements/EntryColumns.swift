import FusionSessions

/// Entries, column by column, and how a row is read as one.
struct EntryColumns {
  static let names = """
    sequence, version, time, kind, outcome, running, trace, key, key_time, digest, answer, processed, \
    count, key_version
    """

  /// What ``add(to:)`` adds, beginning with the session's place and its id.
  static func parameters(from number: Int) -> String {
    let types = [
      "bigint", "bytea", "bigint", "bigint", "timestamptz", "bigint", "bytea", "bytea", "bytea",
      "bytea", "timestamptz", "bytea", "bigint", "bigint", "bigint", "bigint",
    ]
    return types.enumerated().map { "$\(number + $0)::\($1)[]" }.joined(separator: ", ")
  }

  private var entries: [(place: Int, session: SessionID, entry: LogEntry)] = []

  mutating func add(_ entry: LogEntry, of session: SessionID, place: Int) {
    entries.append((place, session, entry))
  }

  func add(to parameters: inout Parameters) {
    let outcomes = entries.map { Self.columns(of: $0.entry.outcome) }
    parameters.addEach(entries.map(\.place))
    parameters.addEach(entries.map(\.session))
    parameters.addEach(entries.map(\.entry.sequence))
    parameters.addEach(entries.map(\.entry.version))
    parameters.addEach(entries.map(\.entry.time))
    parameters.addEach(outcomes.map(\.kind))
    parameters.addEach(outcomes.map(\.bytes))
    parameters.addEach(entries.map { NameList.bytes($0.entry.running) })
    parameters.addEach(entries.map(\.entry.trace))
    parameters.addEach(entries.map { $0.entry.key.map { Array($0.key.utf8) } })
    parameters.addEach(entries.map(\.entry.key?.time))
    parameters.addEach(entries.map(\.entry.key?.digest))
    parameters.addEach(entries.map { $0.entry.key.map { Int($0.answer.rawValue) } })
    parameters.addEach(entries.map(\.entry.key?.processed))
    parameters.addEach(entries.map(\.entry.key?.count))
    parameters.addEach(entries.map(\.entry.key?.version))
  }

  private static func columns(of outcome: LogEntry.Outcome) -> (kind: Int, bytes: [UInt8]) {
    switch outcome {
    case .unchanged: (0, [])
    case .state(let state): (1, state)
    case .patch(let patch): (2, patch)
    }
  }

  /// Reads an entry from a row of ``names``.
  static func entry(_ rows: Rows, _ row: Int) throws(PostgreSQLError) -> LogEntry {
    let bytes = rows.bytes(row, 4)
    let outcome: LogEntry.Outcome
    switch rows.int(row, 3) {
    case 0: outcome = .unchanged
    case 1: outcome = .state(bytes)
    case 2: outcome = .patch(bytes)
    case let kind: throw .damaged("an entry has the outcome \(kind)")
    }
    return LogEntry(
      sequence: rows.int(row, 0),
      version: rows.int(row, 1),
      time: rows.time(row, 2),
      outcome: outcome,
      running: try rows.names(row, 5),
      trace: rows.bytes(row, 6),
      key: rows.isNull(row, 7) ? nil : try key(rows, row, from: 7)
    )
  }

  /// Reads the columns from the name on.
  static func key(_ rows: Rows, _ row: Int, from first: Int) throws(PostgreSQLError) -> KeyProgress
  {
    let number = rows.int(row, first + 3)
    guard let answer = UInt8(exactly: number).flatMap(KeyProgress.Answer.init(rawValue:)) else {
      throw .damaged("a key has the answer \(number)")
    }
    return KeyProgress(
      key: rows.text(row, first),
      digest: rows.bytes(row, first + 2),
      answer: answer,
      processed: rows.int(row, first + 4),
      count: rows.int(row, first + 5),
      version: rows.int(row, first + 6),
      time: rows.time(row, first + 1)
    )
  }
}
