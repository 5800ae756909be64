import FusionPostgreSQLSessions
import FusionSQLiteSessions
import FusionSessions
import UIFusionServer

/// Where the sessions are that a tool works with.
struct StorePlace: Sendable, CustomStringConvertible {
  var storage = SessionStorage.folder("./.uifusion")

  /// Without a password.
  var description: String { "\(storage)" }

  /// Whether several nodes may serve it.
  var isShared: Bool { if case .postgresql = storage { true } else { false } }

  /// Reads, also beside a service.
  ///
  /// - Throws: ``ToolError``, which names the place.
  func read<Found>(_ body: (any SessionArchive) throws -> Found) throws -> Found {
    try explaining("read") { try body(try openArchive()) }
  }

  static let memory = ToolError("sessions in memory are the service's alone")

  private func openArchive() throws -> any SessionArchive {
    switch storage {
    case .folder(let path): try SQLiteSessionArchive(folder: path)
    case .postgresql(let string): try PostgreSQLSessionArchive(string, onlyToRead: true)
    case .memory: throw Self.memory
    }
  }

  /// Reads a session and its history.
  func history(of id: SessionID) throws -> SessionHistory {
    guard let (session, log) = try read({ try $0.history(of: id) }) else { throw unknown(id) }
    return try history(session, log)
  }

  func history(_ session: StoredSession, _ log: [LogEntry]) throws -> SessionHistory {
    try explaining(session) { try SessionHistory(session, log: log) }
  }

  /// Throws where a session cannot be read, with no more than one State at a time.
  func check(_ session: StoredSession) throws {
    try explaining(session) {
      var state: [UInt8]? = session.head.state
      for entry in session.entries { state = try entry.outcome.state(after: state) }
    }
  }

  private func explaining<Found>(_ session: StoredSession, _ body: () throws -> Found) throws
    -> Found
  {
    do {
      return try body()
    } catch {
      throw ToolError("the log of session \(session.id) in \(self) is damaged: \(error)")
    }
  }

  /// Copies all sessions, with their history, into a new folder.
  ///
  /// - Throws: ``ToolError``, which names the place.
  func backUp(to folder: String) throws {
    try explaining("backed up") {
      switch storage {
      case .memory: throw Self.memory
      case .folder(let path): try SQLiteSessionArchive(folder: path).backUp(to: folder)
      case .postgresql(let string):
        let copy = try PostgreSQLSessionArchive(string, onlyToRead: true).read {
          try FolderCopy(folder, secret: $0)
        } _: { copy, session, log in
          try copy.add(try history(session, log).whole)
        }
        try copy.finish()
      }
    }
  }

  func unknown(_ id: SessionID) -> ToolError {
    ToolError("there is no session \(id) in \(self)")
  }

  /// Calls what reads or writes, and says of what is in its way where it was.
  func explaining<Found: ~Copyable>(
    _ verb: String,
    _ body: () throws -> Found
  ) throws -> Found {
    do {
      return try body()
    } catch let error as StoreError {
      throw ToolError("the sessions in \(self) cannot be \(verb): \(error.text)")
    } catch let error as StoreOpenError {
      throw ToolError(text(error))
    } catch let error as PostgreSQLOpenError {
      throw ToolError("\(error)")
    }
  }

  private func text(_ error: StoreOpenError) -> String {
    switch error {
    case .inUse: "\(error): stop it first"
    case .missing: "\(error): name their folder with --data"
    default: "\(error)"
    }
  }

}
