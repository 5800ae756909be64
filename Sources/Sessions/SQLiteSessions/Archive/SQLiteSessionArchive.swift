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
