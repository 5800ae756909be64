import FusionSessions

/// Idempotency keys as columns of the table `key`.
struct KeyColumns {
  static let names = "name, sequence, time, digest, answer, processed, count, version"

  /// The types of the arrays that ``add(to:)`` adds.
  static let types = [
    "bytea", "bigint", "timestamptz", "bytea", "bigint", "bigint", "bigint", "bigint",
  ]

  /// The clause that replaces an existing key.
  static let replacing = """
    ON CONFLICT (session, name) DO UPDATE SET sequence = excluded.sequence, time = excluded.time,
      digest = excluded.digest, answer = excluded.answer, processed = excluded.processed,
      count = excluded.count, version = excluded.version
    """

  private var keys: [(key: KeyProgress, sequence: Int)]

  init(_ keys: [(key: KeyProgress, sequence: Int)] = []) {
    self.keys = keys
  }

  var count: Int { keys.count }

  /// Adds the keys of a session's entries, only the newest of each.
  mutating func add(_ entries: [LogEntry]) {
    var names: Set<String> = []
    for entry in entries.reversed() {
      guard let key = entry.key, names.insert(key.key).inserted else { continue }
      keys.append((key, entry.sequence))
    }
  }

  func add(to parameters: inout Parameters) {
    parameters.addEach(keys) { Array($0.key.key.utf8) }
    parameters.addEach(keys) { $0.sequence }
    parameters.addEach(keys) { $0.key.time }
    parameters.addEach(keys) { $0.key.digest }
    parameters.addEach(keys) { Int($0.key.answer.rawValue) }
    parameters.addEach(keys) { $0.key.processed }
    parameters.addEach(keys) { $0.key.count }
    parameters.addEach(keys) { $0.key.version }
  }

  /// Reads a row of ``names``.
  static func key(_ rows: Rows, _ row: Int) throws(PostgreSQLError) -> KeyProgress {
    let number = rows.int(row, 4)
    guard let answer = UInt8(exactly: number).flatMap(KeyProgress.Answer.init(rawValue:)) else {
      throw .damaged("a key has the answer \(number)")
    }
    return KeyProgress(
      key: rows.text(row, 0),
      digest: rows.bytes(row, 3),
      answer: answer,
      processed: rows.int(row, 5),
      count: rows.int(row, 6),
      version: rows.int(row, 7),
      time: rows.time(row, 2)
    )
  }
}
