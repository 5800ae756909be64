package import FusionSessions
import Glibc

/// An archive of a folder's store, for tools, even while a process serves it; used by one thread at a time.
///
/// The log is read in steps, since a service's write-ahead log can only grow while a transaction reads.
package final class SQLiteSessionArchive: SessionArchive {
  let database: Database
  /// The number of positions of the log that one step reads.
  var step: Int64 = 500
  /// The action between two steps.
  var pause: () -> Void = {}
  private let lock: FolderLock?

  /// Opens a store; `isAlone` keeps services from the folder, and throws if one serves it.
  package init(folder: String, isAlone: Bool = false) throws(StoreOpenError) {
    let path = Schema.file(in: folder)
    guard unsafe access(path, F_OK) == 0 else {
      throw errno == ENOENT ? .missing(folder) : .unusable(path, systemError())
    }
    lock = isAlone ? try FolderLock(folder) : nil
    database = try Schema.open(path, .read)
  }
}

extension SQLiteSessionArchive {
  /// Forgets the crashes of a session; returns whether it was set aside.
  ///
  /// A service that has the folder goes on: its next commit waits for this one, if at all.
  package static func resume(_ id: SessionID, in folder: String) throws -> Bool {
    let database = try Schema.naming(Schema.file(in: folder)) { () throws(DatabaseError) in
      try Database(Schema.file(in: folder), .write)
    }
    defer { database.close() }
    database.setCheckpointsOnClose(false)
    do throws(DatabaseError) {
      return try database.transaction { () throws(DatabaseError) in
        try CrashRows.forget(id, in: database)
      }
    } catch {
      throw error.storeError
    }
  }

  package func shares(of id: SessionID) throws(StoreError) -> [StoredShare] {
    try reading { () throws(DatabaseError) in try ShareRows.find(.session(id), in: database) }
  }

  package func summaries() throws(StoreError) -> [SessionSummary] {
    var logs: [Int64: LogSummary] = [:]
    try steps { (range) throws(DatabaseError) in
      let rows = try database.rows(
        """
        SELECT session, count(*), max(version), max(time), sum(length(outcome) + length(trace)),
          min(time)
        FROM log WHERE position > \(range.lowerBound) AND position <= \(range.upperBound)
        GROUP BY session
        """
      )
      while let row = try rows.next() { logs[row.integer(0), default: LogSummary()].add(row) }
    }
    return try reading { () throws(DatabaseError) in
      try database.all(
        """
        SELECT number, id, view_model, created, used, length(state), version, identity, name,
          (SELECT time FROM crash WHERE crash.session = session.id AND repeated = 1)
        FROM session JOIN head ON head.session = session.number ORDER BY number
        """
      ) { (row) throws(DatabaseError) in
        let log = logs[row.integer(0)] ?? LogSummary()
        return SessionSummary(
          id: try row.id(1),
          viewModel: row.text(2),
          version: max(row.int(6), log.version),
          created: row.time(3),
          used: WallTime(milliseconds: max(row.integer(4), log.time)),
          stateSize: row.int(5),
          entries: log.entries,
          logSize: log.size,
          oldest: log.entries > 0 ? WallTime(milliseconds: log.oldest) : nil,
          identity: row.optionalText(7),
          name: row.optionalText(8),
          setAside: row.isNull(9) ? nil : row.time(9)
        )
      }
    }
  }

  package func count() throws(StoreError) -> Int {
    try reading { () throws(DatabaseError) in
      Int(try database.integer("SELECT count(*) FROM session") ?? 0)
    }
  }

  package func history(
    of id: SessionID
  ) throws(StoreError) -> (session: StoredSession, log: [LogEntry])? {
    // The session first, or the log could be older than it.
    guard let session = try load(id) else { return nil }
    return (session, try log(of: id))
  }

  /// Reads a session; nil if there is none.
  package func load(_ id: SessionID) throws(StoreError) -> StoredSession? {
    try reading { () throws(DatabaseError) in
      let first =
        try database.integer("SELECT value FROM mark WHERE name = 'history_end'") ?? 0
      return try SessionRows.read(id, in: database) { (number, head) throws(DatabaseError) in
        try entries(of: number, after: head, in: first...Int64.max)
      }
    }
  }

  /// Reads a session's log with the history that is left; empty if there is no such session.
  ///
  /// The oldest entries may be patches of a State that is dropped.
  package func log(of id: SessionID) throws(StoreError) -> [LogEntry] {
    let session = try reading { () throws(DatabaseError) in try number(of: id) }
    guard let session else { return [] }
    var log: [LogEntry] = []
    try steps { (range) throws(DatabaseError) in
      for entry in try entries(of: session, after: Int.min, in: range) {
        // Entries in between were dropped meanwhile, and so were all before them.
        if let last = log.last, entry.sequence != last.sequence + 1 { log = [] }
        log.append(entry)
      }
    }
    return log
  }

  /// Reads a session's entries after the lower bound of a range of positions, up to its upper bound.
  private func entries(
    of session: Int64,
    after sequence: Int,
    in range: ClosedRange<Int64>
  ) throws(DatabaseError) -> [LogEntry] {
    try database.all(
      """
      SELECT \(raw: EntryRows.columns) FROM log
      WHERE position > \(range.lowerBound) AND position <= \(range.upperBound)
      AND session = \(session) AND sequence > \(sequence) ORDER BY position
      """,
      EntryRows.entry
    )
  }

  /// Reads the whole log, which has no index, in a transaction for each step.
  private func steps(
    _ body: (ClosedRange<Int64>) throws(DatabaseError) -> Void
  ) throws(StoreError) {
    let (first, last) = try reading { () throws(DatabaseError) in
      (
        try database.integer("SELECT min(position) FROM log") ?? 1,
        try database.integer("SELECT max(position) FROM log") ?? 0
      )
    }
    var position = first - 1
    while position < last {
      let range = position...min(position + step, last)
      try reading { () throws(DatabaseError) in try body(range) }
      position = range.upperBound
      pause()
    }
  }

  func reading<Found>(
    _ read: () throws(DatabaseError) -> Found
  ) throws(StoreError) -> Found {
    do throws(DatabaseError) {
      return try database.transaction("BEGIN", read)
    } catch {
      throw error.storeError
    }
  }
}

/// The sum of a session's entries in the log.
private struct LogSummary {
  var (entries, version, time, size, oldest) = (0, 0, Int64(0), 0, Int64.max)

  /// Adds a row's columns from the second on.
  mutating func add(_ row: Row) {
    entries += row.int(1)
    version = max(version, row.int(2))
    time = max(time, row.integer(3))
    size += row.int(4)
    oldest = min(oldest, row.integer(5))
  }
}

extension SQLiteSessionArchive {
  /// Writes a copy of the store into another folder, which a service can then be started with.
  ///
  /// Commits go on meanwhile, and their write-ahead log grows until the copy is done. The folder is created if missing
  /// and must not have a store.
  package func backUp(to folder: String) throws(StoreOpenError) {
    // Held until the copy is complete, so that no service starts with it before.
    let lock = try FolderLock(folder)
    defer { extendLifetime(lock) }
    let path = Schema.file(in: folder)
    guard unsafe access(path, F_OK) != 0 else { throw .occupied(folder) }
    let partial = path + ".partial"
    _ = unsafe unlink(partial)
    try Schema.createFile(partial)
    do throws(StoreOpenError) {
      try Schema.naming(partial) { () throws(DatabaseError) in
        // The copy can shrink even if this file, of an older program, cannot.
        if try !Schema.canShrink(database) { try database.run("PRAGMA auto_vacuum = INCREMENTAL") }
        try database.run("VACUUM INTO \(partial)")
      }
      try synchronize(partial)
      guard unsafe rename(partial, path) == 0 else {
        throw StoreOpenError.unusable(path, systemError())
      }
    } catch {
      _ = unsafe unlink(partial)
      throw error
    }
    try synchronize(folder)
  }
}

extension SQLiteSessionArchive {
  /// Reads the positions of all entries first, in one pass through the log, which has no index.
  package func read<Copy: ~Copyable>(
    begin: (_ secret: [UInt8]) throws -> Copy,
    wanted isWanted: (SessionID) -> Bool,
    damaged: (inout Copy, SessionID, StoreError) throws -> Void,
    _ add: (inout Copy, StoredSession, _ log: [LogEntry]) throws -> Void
  ) throws -> Copy {
    do {
      try database.run("BEGIN")
      var copy = try begin(try Schema.secret(in: database))
      let positions = try positions()
      // In the order of the sessions' creation.
      let ids = try database.all("SELECT id FROM session ORDER BY number") {
        (row) throws(DatabaseError) in try row.id(0)
      }
      for id in ids where isWanted(id) {
        switch Result(catching: { () throws(StoreError) in try history(of: id, at: positions) }) {
        case .success(let (session, log)): try add(&copy, session, log)
        case .failure(.damaged(let text)): try damaged(&copy, id, .damaged(text))
        case .failure(let error): throw error
        }
      }
      try database.run("COMMIT")
      return copy
    } catch {
      database.rollBack()
      throw (error as? DatabaseError)?.storeError ?? error
    }
  }

  /// Returns the positions of all entries, ascending, by the session's number.
  private func positions() throws(DatabaseError) -> [Int64: [Int64]] {
    var positions: [Int64: [Int64]] = [:]
    let rows = try database.rows("SELECT session, position FROM log ORDER BY position")
    while let row = try rows.next() {
      positions[row.integer(0), default: []].append(row.integer(1))
    }
    return positions
  }

  private func history(
    of id: SessionID,
    at positions: [Int64: [Int64]]
  ) throws(StoreError) -> (StoredSession, log: [LogEntry]) {
    do throws(DatabaseError) {
      var log: [LogEntry] = []
      let session = try SessionRows.read(id, in: database) { (number, head) throws(DatabaseError) in
        for position in positions[number] ?? [] {
          log.append(try EntryRows.read(at: position, in: database))
        }
        return log.filter { $0.sequence > head }
      }
      guard let session else { throw .damaged("its State is missing") }
      let numbers = (session.head.sequence + 1)...
      guard zip(session.entries, numbers).allSatisfy({ $0.sequence == $1 }) else {
        throw .damaged("an entry is missing")
      }
      return (session, log)
    } catch {
      throw error.storeError.naming(id)
    }
  }
}

extension SQLiteSessionArchive {
  /// The number of positions that are not halved any further.
  private static var leastSpan: Int64 { 256 }

  /// Reads the newest entries in a single transaction.
  ///
  /// The log has no index: entries up to a moment are found by a scan back from the newest, those up to a version by
  /// halving the log first.
  package func readBack(
    _ id: SessionID,
    from point: HistoryPoint,
    _ body: (LogEntry) -> Bool
  ) throws(StoreError) {
    try reading { () throws(DatabaseError) in
      guard let session = try number(of: id) else { return }
      var end = Int64.max
      if case .version(let version) = point { end = try self.end(of: version, session) }
      let rows = try database.rows(
        """
        SELECT \(raw: EntryRows.columns) FROM log
        WHERE position < \(end) AND session = \(session) AND \(raw: point.condition)
        ORDER BY position DESC
        """
      )
      while let row = try rows.next(), body(try EntryRows.entry(row)) {}
    }
  }

  /// Returns a position from which on a session's entries are beyond a version: versions grow with positions.
  ///
  /// Each step reads other sessions' entries up to the next entry of this one.
  private func end(of version: Int, _ session: Int64) throws(DatabaseError) -> Int64 {
    var low = try database.integer("SELECT min(position) FROM log") ?? 0
    var high = (try database.integer("SELECT max(position) FROM log") ?? 0) + 1
    while high - low > Self.leastSpan {
      let middle = low + (high - low) / 2
      let found = try database.first(
        """
        SELECT position, version FROM log WHERE position >= \(middle)
        AND position < \(high) AND session = \(session) ORDER BY position LIMIT 1
        """
      ) { (row) throws(DatabaseError) in (position: row.integer(0), version: row.int(1)) }
      if let found, found.version <= version { low = found.position + 1 } else { high = middle }
    }
    return high
  }

  package func migrations(
    of id: SessionID,
    after sequence: Int
  ) throws(StoreError) -> [FormatChange] {
    try reading { () throws(DatabaseError) in
      guard let session = try number(of: id) else { return [] }
      let prefix = FormatChange.prefix
      return try database.all(
        """
        SELECT sequence, trace FROM log WHERE session = \(session) AND sequence > \(sequence)
        AND substr(trace, 1, \(prefix.count)) = \(prefix) ORDER BY position
        """
      ) { FormatChange($0.int(0), trace: $0.bytes(1)) }
    }
  }

  func number(of id: SessionID) throws(DatabaseError) -> Int64? {
    try database.integer("SELECT number FROM session WHERE id = \(id)")
  }
}

extension HistoryPoint {
  /// The SQL of ``covers(_:)``.
  fileprivate var condition: String {
    switch self {
    case .newest: "TRUE"
    case .version(let version): "version <= \(version)"
    case .time(let time): "time <= \(time.milliseconds)"
    }
  }
}
