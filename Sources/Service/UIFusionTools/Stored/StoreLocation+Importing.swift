import FusionPostgreSQLSessions
import FusionSQLiteSessions
import FusionSessions
import UIFusionServer

extension StorePlace {
  /// Takes in all sessions of another place, with their history and keys: every one of them, or none.
  ///
  /// Nobody may serve the other place: what was acknowledged there after it was read would be missing here.
  ///
  /// - Returns: how many there are.
  /// - Throws: ``ToolError``, which says whether any was taken in.
  func takeIn(allOf source: StorePlace, replacing: Bool) throws -> Int {
    switch storage {
    case .memory: throw Self.memory
    case .folder(let path): try copy(source, into: path)
    case .postgresql(let string): try copy(source, intoDatabase: string, replacing: replacing)
    }
  }

  private func copy(_ source: StorePlace, into folder: String) throws -> Int {
    var count = 0
    try explaining("written") {
      let copy = try Self.orNothing {
        try source.readAll { secret in
          do {
            return try FolderCopy(folder, secret: secret)
          } catch StoreOpenError.occupied {
            throw ToolError(
              "there are sessions in \(folder) already: name a new folder with --data"
            )
          }
        } _: { copy, session, log in
          let whole = try source.history(session, log).whole
          try explaining("written") { try copy.add(whole) }
          count += 1
        }
      }
      try copy.finish()
    }
    return count
  }

  private func copy(
    _ source: StorePlace,
    intoDatabase string: String,
    replacing: Bool
  ) throws -> Int {
    var count = 0
    let copy = try Self.orNothing {
      try source.readAll { secret in
        try explaining("written") {
          let archive = try PostgreSQLSessionArchive(string, makesTables: true)
          return try DatabaseCopy(into: archive, secret: secret, replacing: replacing)
        }
      } _: { copy, session, log in
        // Its patches lead somewhere, or nobody could read it.
        try source.check(session)
        let outcome = try explaining("written") { try copy.add(session, log: log) }
        try settle(outcome, session.id)
        count += 1
      }
    }
    do {
      try copy.finish()
    } catch StoreError.inDoubt {
      throw ToolError(
        "it is not known whether the sessions are in \(self): that they were committed was not confirmed."
          + " All of them are there, or none is: look with sessions list"
      )
    } catch {
      try Self.orNothing { try explaining("written") { throw error } }
    }
    return count
  }

  /// Reads each session, as one that was used now.
  private func readAll<Copy: ~Copyable>(
    begin: (_ secret: [UInt8]) throws -> Copy,
    _ add: (inout Copy, StoredSession, _ log: [LogEntry]) throws -> Void
  ) throws -> Copy {
    try explaining("read") {
      try openUnserved().read(begin: begin) { copy, session, log in
        var session = session
        // Or it would expire at the service's start, having been idle for so long.
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
        throw ToolError("\(StoreOpenError.missing(path)): name their folder with --from")
      }
    case .postgresql(let string):
      let archive = try PostgreSQLSessionArchive(string, onlyToRead: true)
      if let node = try archive.living().first {
        throw ToolError(
          "node \(node.number) (\(node.name)) serves the sessions in \(self): stop all nodes first"
        )
      }
      return archive
    }
  }

  /// Calls what takes nothing in before it has returned.
  private static func orNothing<Found: ~Copyable>(_ body: () throws -> Found) throws -> Found {
    do {
      return try body()
    } catch {
      throw ToolError("nothing was imported: \(error)")
    }
  }
}
