import FusionCommandLine
import FusionPostgreSQLSessions
import FusionSQLiteSessions
import FusionSessions
import UIFusionServer

extension StoreLocation {
  /// Imports all sessions of another location with their history and keys, or none.
  ///
  /// No service may serve the other location: Inputs that it acknowledges after the read would be lost.
  ///
  /// - Returns: the number of sessions.
  /// - Throws: ``CommandError``, which says whether anything was imported.
  func importAll(from source: StoreLocation, replacing: Bool) throws -> Int {
    switch storage {
    case .memory: throw Self.memory
    case .folder(let path): try copy(source, into: path)
    case .postgresql(let string): try copy(source, intoDatabase: string, replacing: replacing)
    }
  }

  private func copy(_ source: StoreLocation, into folder: String) throws -> Int {
    var count = 0
    try explaining("write") {
      let copy = try Self.importingNothing {
        try source.readAll { secret in
          do {
            return try FolderCopy(folder, secret: secret)
          } catch StoreOpenError.occupied {
            throw CommandError("\(folder) contains sessions already: name a new folder with --data")
          }
        } _: { copy, session, log in
          let whole = try source.history(session, log).whole
          try explaining("write") { try copy.add(whole) }
          count += 1
        }
      }
      try copy.finish()
    }
    return count
  }

  private func copy(
    _ source: StoreLocation,
    intoDatabase string: String,
    replacing: Bool
  ) throws -> Int {
    var count = 0
    let copy = try Self.importingNothing {
      try source.readAll { secret in
        try explaining("write") {
          let archive = try PostgreSQLSessionArchive(string, makesTables: true)
          return try DatabaseCopy(into: archive, secret: secret, replacing: replacing)
        }
      } _: { copy, session, log in
        // A session with patches that do not apply could never be read.
        try source.check(session)
        let outcome = try explaining("write") { try copy.add(session, log: log) }
        try settle(outcome, session.id)
        count += 1
      }
    }
    do {
      try copy.finish()
    } catch StoreError.inDoubt {
      throw CommandError(
        "the commit was not confirmed: either all sessions are in \(self) or none; look with sessions list"
      )
    } catch {
      try Self.importingNothing { try explaining("write") { throw error } }
    }
    return count
  }

  /// Reads each session, marked as used now.
  private func readAll<Copy: ~Copyable>(
    begin: (_ secret: [UInt8]) throws -> Copy,
    _ add: (inout Copy, StoredSession, _ log: [LogEntry]) throws -> Void
  ) throws -> Copy {
    try explaining("read") {
      try openUnserved().read(begin: begin) { copy, session, log in
        var session = session
        // Otherwise an old session would expire at the service's start.
        session.used = max(session.used, .now)
        try add(&copy, session, log)
      }
    }
  }

  private func openUnserved() throws -> any SessionArchive {
    switch storage {
    case .memory: throw Self.memory
    case .folder(let path):
      do {
        return try SQLiteSessionArchive(folder: path, isAlone: true)
      } catch StoreOpenError.missing {
        throw CommandError("\(StoreOpenError.missing(path)): name their folder with --from")
      }
    case .postgresql(let string):
      let archive = try PostgreSQLSessionArchive(string, onlyToRead: true)
      if let node = try archive.livingNodes().first {
        throw CommandError(
          "node \(node.number) (\(node.name)) serves the sessions in \(self): stop all nodes first"
        )
      }
      return archive
    }
  }

  /// Calls a function that imports nothing before it returns; its error says so.
  private static func importingNothing<Found: ~Copyable>(_ body: () throws -> Found) throws -> Found
  {
    do {
      return try body()
    } catch {
      throw CommandError("nothing was imported: \(error)")
    }
  }
}
