import Glibc
package import Sessions

/// Reads a folder's store, also beside the process that serves it; for tools.
///
/// Belongs to one thread at a time. Each call sees one point in time.
package final class SessionArchive {
  /// What there is of a session.
  package struct Summary: Sendable, Equatable {
    package let id: SessionID
    package let viewModel: String
    package let version: Int
    package let created: WallTime
    /// When somebody was there last.
    package let used: WallTime
    /// The bytes of the State that stands in whole.
    package let stateSize: Int
    /// How many entries the log has, history among them.
    package let entries: Int
    /// The bytes of their outcomes and traces.
    package let logSize: Int
  }

  private let database: Database

  package init(folder: String) throws(StoreOpenError) {
    let path = Schema.file(in: folder)
    guard unsafe access(path, F_OK) == 0 else {
      throw errno == ENOENT ? .missing(folder) : .unusable(path, systemError())
    }
    database = try Schema.open(path, .read)
  }

  /// What there is, in the order in which it was created.
  package func summaries() throws(StoreError) -> [Summary] {
    try reading { () throws(DatabaseError) in
      var summaries: [Summary] = []
      let rows = try database.rows(
        """
        SELECT id, view_model, created, max(used, ifnull(time, 0)), length(state),
          max(head.version, ifnull(history.version, 0)), ifnull(entries, 0), ifnull(size, 0)
        FROM session JOIN head ON head.session = session.number
        LEFT JOIN (
          SELECT session, count(*) AS entries, max(version) AS version, max(time) AS time,
            sum(length(outcome) + length(trace)) AS size
          FROM log GROUP BY session
        ) AS history ON history.session = session.number
        ORDER BY session.number
        """
      )
      while let row = try rows.next() {
        summaries.append(
          Summary(
            id: try SessionID(bytes: row.bytes(0)),
            viewModel: row.text(1),
            version: row.int(5),
            created: WallTime(milliseconds: row.integer(2)),
            used: WallTime(milliseconds: row.integer(3)),
            stateSize: row.int(4),
            entries: row.int(6),
            logSize: row.int(7)
          )
        )
      }
      return summaries
    }
  }

  /// Reads all that is kept of a session; nil where nothing is.
  package func load(_ id: SessionID) throws(StoreError) -> StoredSession? {
    try reading { () throws(DatabaseError) in
      try SessionRows.read(id, in: database) { (number, head) throws(DatabaseError) in
        try entries(of: number, after: head)
      }
    }
  }

  /// Reads a session's log from the oldest entry that is left on, history included; empty where
  /// there is no such session.
  ///
  /// The oldest may be patches of a State that is not there any more.
  package func log(of id: SessionID) throws(StoreError) -> [LogEntry] {
    try reading { () throws(DatabaseError) in
      let number = "SELECT number FROM session WHERE id = ?"
      guard let session = try database.integer(number, .blob(id.bytes)) else { return [] }
      return try entries(of: session, after: Int.min)
    }
  }

  /// Goes through all of the log, which has no index.
  private func entries(
    of session: Int64,
    after sequence: Int
  ) throws(DatabaseError) -> [LogEntry] {
    let rows = try database.rows(
      """
      SELECT \(EntryRows.columns) FROM log WHERE session = ? AND sequence > ? ORDER BY position
      """,
      .integer(session),
      .integer(sequence)
    )
    var entries: [LogEntry] = []
    while let row = try rows.next() { entries.append(try EntryRows.entry(row)) }
    return entries
  }

  private func reading<Found>(
    _ read: () throws(DatabaseError) -> Found
  ) throws(StoreError) -> Found {
    do {
      try database.run("BEGIN")
      let found = try read()
      try database.run("COMMIT")
      return found
    } catch {
      if database.isInTransaction { try? database.run("ROLLBACK") }
      throw error.storeError
    }
  }
}

extension SessionArchive {
  /// Writes what there is now into a folder of its own, which a service can then be started with.
  ///
  /// Commits go on meanwhile. The folder is made where there is none; it must not have a store.
  package func backUp(to folder: String) throws(StoreOpenError) {
    // Kept until the copy is whole, so that nobody serves it before.
    let lock = try FolderLock(folder)
    defer { extendLifetime(lock) }
    let path = Schema.file(in: folder)
    guard unsafe access(path, F_OK) != 0 else { throw .occupied(folder) }
    let partial = path + ".partial"
    _ = unsafe unlink(partial)
    try Schema.makeFile(partial)
    do throws(StoreOpenError) {
      try Schema.looking(at: partial) { () throws(DatabaseError) in
        // The copy can shrink, also where this file is of an older version.
        if try !Schema.canShrink(database) { try database.run("PRAGMA auto_vacuum = INCREMENTAL") }
        try database.run("VACUUM INTO ?", .text(partial))
      }
      try Self.synchronize(partial)
      guard unsafe rename(partial, path) == 0 else {
        throw StoreOpenError.unusable(path, systemError())
      }
    } catch {
      _ = unsafe unlink(partial)
      throw error
    }
    try Self.synchronize(folder)
  }

  /// Waits until a file, or a folder's list of files, is on the disk.
  private static func synchronize(_ path: String) throws(StoreOpenError) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    guard descriptor >= 0, fsync(descriptor) == 0 else { throw .unusable(path, systemError()) }
  }
}
