package import FusionSessions

extension SQLiteSessionArchive {
  /// Goes through the log once for where each session's entries stand: it has no index to ask for them.
  package func read<Copy: ~Copyable>(
    begin: (_ secret: [UInt8]) throws -> Copy,
    _ add: (inout Copy, StoredSession, _ log: [LogEntry]) throws -> Void
  ) throws -> Copy {
    do {
      try database.run("BEGIN")
      var copy = try begin(try Schema.secret(in: database))
      let positions = try positions()
      for id in try ids() {
        let (session, log) = try history(of: id, at: positions)
        try add(&copy, session, log)
      }
      try database.run("COMMIT")
      return copy
    } catch {
      if database.isInTransaction { try? database.run("ROLLBACK") }
      throw (error as? DatabaseError)?.storeError ?? error
    }
  }

  /// Of all entries, in order, by the session's number.
  private func positions() throws(DatabaseError) -> [Int64: [Int64]] {
    var positions: [Int64: [Int64]] = [:]
    let rows = try database.rows("SELECT session, position FROM log ORDER BY position")
    while let row = try rows.next() {
      positions[row.integer(0), default: []].append(row.integer(1))
    }
    return positions
  }

  /// In the order in which they were created.
  private func ids() throws(DatabaseError) -> [SessionID] {
    var ids: [SessionID] = []
    let rows = try database.rows("SELECT id FROM session ORDER BY number")
    while let row = try rows.next() { ids.append(try SessionID(bytes: row.bytes(0))) }
    return ids
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
