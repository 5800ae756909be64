package import FusionSessions
import Glibc

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
      for id in ids {
        let (session, log) = try history(of: id, at: positions)
        try add(&copy, session, log)
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
