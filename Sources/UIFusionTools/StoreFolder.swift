import FusionSQLiteSessions
import FusionSessions
import UIFusionServer

/// The folder whose sessions a tool works with.
struct StoreFolder: Sendable {
  var path = "./.uifusion"

  /// What begins like a connection string may have a password, and is not repeated.
  private func expectFolder() throws {
    guard !path.hasPrefix("postgres://"), !path.hasPrefix("postgresql://") else {
      throw ToolError("this works with a folder alone, and not with sessions in PostgreSQL")
    }
  }

  /// Reads, also beside a service.
  ///
  /// - Throws: ``ToolError``, which names the folder.
  func read<Found>(_ body: (SessionArchive) throws -> Found) throws -> Found {
    try expectFolder()
    do {
      return try body(try SessionArchive(folder: path))
    } catch let error as StoreError {
      throw ToolError("the sessions in \(path) cannot be read: \(error.text)")
    } catch let error as StoreOpenError {
      throw ToolError(text(error))
    }
  }

  /// Reads a session and its history.
  func history(of id: SessionID) throws -> SessionHistory {
    let found: (StoredSession, [LogEntry])? = try read { archive in
      // In this order: the log may be newer than the session, never older.
      guard let session = try archive.load(id) else { return nil }
      return (session, try archive.log(of: id))
    }
    guard let (session, log) = found else { throw unknown(id) }
    do {
      return try SessionHistory(session, log: log)
    } catch {
      throw ToolError("the log of session \(id) in \(path) is damaged: \(error)")
    }
  }

  /// Writes, where no service does.
  ///
  /// - Throws: ``ToolError``, which names the folder.
  func write<Result>(_ body: (SQLiteSessionStore) throws -> Result) throws -> Result {
    try expectFolder()
    do {
      let store = try SQLiteSessionStore(folder: path)
      defer { store.close() }
      return try body(store)
    } catch let error as StoreError {
      throw ToolError("the sessions in \(path) cannot be written: \(error.text)")
    } catch let error as StoreOpenError {
      throw ToolError(text(error))
    }
  }

  /// Throws where there are no sessions: opening the folder to write would make what is missing.
  func expectSessions() throws {
    try read { _ in }
  }

  func unknown(_ id: SessionID) -> ToolError {
    ToolError("there is no session \(id) in \(path)")
  }

  private func text(_ error: StoreOpenError) -> String {
    switch error {
    case .inUse: "\(error): stop it first"
    case .missing: "\(error): name their folder with --data"
    default: "\(error)"
    }
  }
}
