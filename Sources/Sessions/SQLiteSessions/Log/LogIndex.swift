import FusionSessions

/// The positions in the log of the entries that no head covers, kept in memory as the log has no index.
///
/// Read from the database once. Each change keeps the index equal to what reading the database again would give.
struct LogIndex {
  /// The uncovered entries of each session that has any.
  var uncovered: [SessionID: UncoveredEntries] = [:]
  /// The newest position that was ever assigned.
  private(set) var last: Int64
  /// The position up to which all history is dropped.
  var trimmed: Int64
  /// The position up to which all entries are history, covered by their session's head.
  var historyEnd: Int64
  /// The newest position when `historyEnd` was last computed.
  var lastHistoryMark: Int64
  /// The time of the newest entry, in milliseconds since 1970.
  var newestTime: Int64
  private var lastSession: Int64
  /// The number of bytes that uncommitted changes add to the log.
  var growth = 0
  /// The uncovered entries as they were before uncommitted changes, oldest first.
  private var before: [(id: SessionID, entries: UncoveredEntries?)] = []

  /// Reads the index from the database, from the mark of ``historyEnd`` on.
  init(_ database: Database) throws(DatabaseError) {
    trimmed = try database.integer("SELECT value FROM mark WHERE name = 'trimmed'") ?? 0
    historyEnd = try database.integer("SELECT value FROM mark WHERE name = 'history_end'") ?? 0
    let newest = try database.integer("SELECT max(position) FROM log") ?? 0
    last = max(newest, trimmed, historyEnd)
    lastHistoryMark = last
    newestTime =
      try database.integer("SELECT time FROM log WHERE position = \(newest)") ?? 0
    let session = try database.integer("SELECT max(number) FROM session") ?? 0
    let leftover = try database.integer("SELECT max(session) FROM leftover") ?? 0
    lastSession = max(session, leftover)
    try scan(database)
  }

  mutating func nextPosition() -> Int64 {
    last += 1
    return last
  }

  /// Returns a session number that no entry in the log has.
  mutating func nextSession() -> Int64 {
    lastSession += 1
    return lastSession
  }

  /// The first position of an uncovered entry, or the next one to be assigned.
  var firstUncovered: Int64 {
    uncovered.values.lazy.compactMap(\.positions.first).min() ?? last + 1
  }

  /// Takes a session's uncovered entries out, to be changed in place; ``undo(to:)`` brings them back.
  mutating func take(_ id: SessionID) -> UncoveredEntries? {
    let entries = uncovered.removeValue(forKey: id)
    before.append((id, entries))
    return entries
  }

  private mutating func scan(_ database: Database) throws(DatabaseError) {
    var found: [Int64: UncoveredEntries] = [:]
    // CROSS JOIN fixes the order of the loops: one pass through the log, and a look-up of each entry's head.
    let rows = try database.rows(
      """
      SELECT log.position, log.session, log.sequence, log.time, log.key IS NOT NULL, head.sequence
      FROM log CROSS JOIN head ON head.session = log.session
      WHERE log.position > \(historyEnd) AND log.sequence > head.sequence
      """
    )
    while let row = try rows.next() {
      let session = row.integer(1)
      var entries =
        found.removeValue(forKey: session)
        ?? UncoveredEntries(of: session, after: row.int(5), at: 0)
      guard row.int(2) == entries.sequence + 1 else {
        throw .damaged("an entry of session \(session) is missing before \(row.int(2))")
      }
      entries.append(at: row.integer(0), time: row.integer(3), hasKey: row.integer(4) != 0)
      found[session] = entries
    }
    for (session, entries) in found {
      let id = try database.first("SELECT id FROM session WHERE number = \(session)") {
        (row) throws(DatabaseError) in try row.id(0)
      }
      guard let id else { throw .damaged("session \(session) has a head and nothing else") }
      uncovered[id] = entries
    }
  }
}

extension LogIndex {
  /// A state of the index that ``undo(to:)`` restores.
  struct Savepoint {
    fileprivate let last: Int64
    fileprivate let growth: Int
    fileprivate let count: Int
  }

  var savepoint: Savepoint { Savepoint(last: last, growth: growth, count: before.count) }

  /// Undoes all changes since a savepoint.
  mutating func undo(to savepoint: Savepoint) {
    last = savepoint.last
    growth = savepoint.growth
    for (id, entries) in before[savepoint.count...].reversed() { uncovered[id] = entries }
    before.removeSubrange(savepoint.count...)
  }

  /// Keeps all changes, whose transaction was committed.
  mutating func committed() {
    growth = 0
    before.removeAll(keepingCapacity: true)
  }
}

/// The positions in the log of one session's entries beyond its head.
struct UncoveredEntries {
  let session: Int64
  /// The newest entry's sequence.
  private(set) var sequence: Int
  /// The newest entry's time, in milliseconds since 1970.
  private(set) var time: Int64
  /// The positions of the entries, ascending.
  private(set) var positions: [Int64] = []
  /// The positions of entries with a key, ascending.
  private(set) var keyed: [Int64] = []

  init(of session: Int64, after sequence: Int, at time: Int64) {
    self.session = session
    self.sequence = sequence
    self.time = time
  }

  mutating func append(at position: Int64, time: Int64, hasKey: Bool) {
    sequence += 1
    self.time = time
    positions.append(position)
    if hasKey { keyed.append(position) }
  }

  /// Removes the entries up to a sequence, which a head now covers, and returns their positions.
  mutating func cover(upTo head: Int) -> (positions: [Int64], keyed: [Int64]) {
    let covered = Array(positions.dropLast(max(0, sequence - head)))
    positions.removeFirst(covered.count)
    let keys = keyed.prefix { $0 <= covered.last ?? 0 }
    keyed.removeFirst(keys.count)
    return (covered, Array(keys))
  }
}
