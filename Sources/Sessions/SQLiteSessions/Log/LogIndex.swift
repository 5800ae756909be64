import FusionSessions

/// What the log has and where, as far as it must be at hand: the entries that no head covers.
///
/// Read from the log once; with each change it becomes what the database would be read to be.
struct LogIndex {
  /// Sessions with entries beyond their head.
  var tails: [SessionID: UncoveredEntries] = [:]
  /// The newest position that was ever given.
  private(set) var last: Int64
  /// Up to here there is nothing but entries beyond a head.
  var trimmed: Int64
  /// Up to here all is history.
  var historyEnd: Int64
  /// What the newest position was when `historyEnd` was looked for.
  var lastHistoryMark: Int64
  private var lastSession: Int64
  /// By how many bytes the log grows with what has not been committed yet.
  var growth = 0
  /// The tails as they were before what has not been committed yet, oldest first.
  private var before: [(id: SessionID, tail: UncoveredEntries?)] = []

  /// Reads it from the database; only entries after the mark of ``historyEnd`` are looked at.
  init(_ database: Database) throws(DatabaseError) {
    let mark = "SELECT value FROM mark WHERE name = ?"
    trimmed = try database.integer(mark, .text("trimmed")) ?? 0
    historyEnd = try database.integer(mark, .text("history_end")) ?? 0
    let newest = try database.integer("SELECT max(position) FROM log") ?? 0
    last = max(newest, trimmed, historyEnd)
    lastHistoryMark = last
    let session = try database.integer("SELECT max(number) FROM session") ?? 0
    let leftover = try database.integer("SELECT max(session) FROM leftover") ?? 0
    lastSession = max(session, leftover)
    try scan(database)
  }

  mutating func nextPosition() -> Int64 {
    last += 1
    return last
  }

  /// A number that nothing in the log has.
  mutating func nextSession() -> Int64 {
    lastSession += 1
    return lastSession
  }

  /// What ``historyEnd`` could be.
  var firstOpen: Int64 { tails.values.lazy.compactMap(\.positions.first).min() ?? last + 1 }

  /// Takes a session's tail out, so that it is changed in place; ``undo(to:)`` brings it back.
  mutating func takeTail(_ id: SessionID) -> UncoveredEntries? {
    let tail = tails.removeValue(forKey: id)
    before.append((id, tail))
    return tail
  }

  private mutating func scan(_ database: Database) throws(DatabaseError) {
    var found: [Int64: UncoveredEntries] = [:]
    // The order of the tables: the log is gone through once, and the head of each entry looked up.
    let rows = try database.rows(
      """
      SELECT log.position, log.session, log.sequence, log.time, log.key IS NOT NULL, head.sequence
      FROM log CROSS JOIN head ON head.session = log.session
      WHERE log.position > ? AND log.sequence > head.sequence
      """,
      .integer(historyEnd)
    )
    while let row = try rows.next() {
      let session = row.integer(1)
      var tail =
        found.removeValue(forKey: session)
        ?? UncoveredEntries(of: session, after: row.int(5), at: 0)
      guard row.int(2) == tail.sequence + 1 else {
        throw .damaged("an entry of session \(session) is missing before \(row.int(2))")
      }
      tail.append(at: row.integer(0), time: row.integer(3), hasKey: row.integer(4) != 0)
      found[session] = tail
    }
    for (session, tail) in found {
      let rows = try database.rows("SELECT id FROM session WHERE number = ?", .integer(session))
      guard let row = try rows.next() else {
        throw .damaged("session \(session) has a head and nothing else")
      }
      tails[try SessionID(bytes: row.bytes(0))] = tail
    }
  }
}

extension LogIndex {
  /// What ``undo(to:)`` goes back to.
  struct Savepoint {
    fileprivate let last: Int64
    fileprivate let growth: Int
    fileprivate let count: Int
  }

  var savepoint: Savepoint { Savepoint(last: last, growth: growth, count: before.count) }

  /// Forgets what was added, and how tails were changed, since then.
  mutating func undo(to savepoint: Savepoint) {
    last = savepoint.last
    growth = savepoint.growth
    for (id, tail) in before[savepoint.count...].reversed() { tails[id] = tail }
    before.removeSubrange(savepoint.count...)
  }

  /// What has changed stays so.
  mutating func committed() {
    growth = 0
    before.removeAll(keepingCapacity: true)
  }
}

extension SessionID {
  init(bytes: [UInt8]) throws(DatabaseError) {
    guard bytes.count == 16 else { throw .damaged("an id has \(bytes.count) bytes") }
    let (high, low) = (bytes.prefix(8), bytes.suffix(8))
    self.init(
      high: high.reduce(0) { $0 << 8 | UInt64($1) },
      low: low.reduce(0) { $0 << 8 | UInt64($1) }
    )
  }

  /// Big-endian, as a column has it.
  var bytes: [UInt8] {
    [high, low].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
    }
  }
}
