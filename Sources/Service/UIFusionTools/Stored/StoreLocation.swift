import FusionCommandLine
import FusionPostgreSQLSessions
import FusionSQLiteSessions
import FusionSessions
import UIFusionServer

/// The location of the stored sessions that a command works with.
struct StoreLocation: Sendable, CustomStringConvertible {
  var storage = SessionStorage.folder("./.uifusion")

  /// The location without a password.
  var description: String { "\(storage)" }

  /// Whether several nodes may serve the sessions.
  var isShared: Bool { if case .postgresql = storage { true } else { false } }

  /// Reads stored sessions, also beside a running service.
  ///
  /// - Throws: ``CommandError``, which names the location.
  func read<Found>(_ body: (any SessionArchive) throws -> Found) throws -> Found {
    try explaining("read") { try body(try openArchive()) }
  }

  static let memory = CommandError("sessions in memory exist in the service alone")

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

  /// Reads a session as it was at a point of its history.
  func past(_ id: SessionID, at point: HistoryPoint) throws -> PastSession {
    switch try read({ try $0.past(id, at: point, .json) }) {
    case .found(let past): return past
    case .unknown: throw unknown(id)
    case .notKept:
      throw CommandError("the history of session \(id) in \(self) does not have that: see replay")
    }
  }

  /// Makes the history of a session from its log.
  func history(_ session: StoredSession, _ log: [LogEntry]) throws -> SessionHistory {
    try explaining(session) { try SessionHistory(session, log: log) }
  }

  /// Throws if a session cannot be read; keeps only one State in memory.
  func check(_ session: StoredSession) throws {
    try explaining(session) {
      let outcomes = session.entries.lazy.map(\.outcome)
      _ = try HostedViewModel.Patches.json.apply(outcomes, to: session.head.state)
    }
  }

  private func explaining<Found>(_ session: StoredSession, _ body: () throws -> Found) throws
    -> Found
  {
    do {
      return try body()
    } catch {
      throw CommandError("the log of session \(session.id) in \(self) is damaged: \(error)")
    }
  }

  /// Copies all sessions with their history into a new folder.
  ///
  /// - Throws: ``CommandError``, which names the location.
  func backUp(to folder: String) throws {
    try explaining("back up") {
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

  /// Makes the error for an id that is not stored.
  func unknown(_ id: SessionID) -> CommandError {
    CommandError("there is no session \(id) in \(self)")
  }

  /// Calls a function that reads or writes; its errors become a ``CommandError`` that names the location.
  func explaining<Found: ~Copyable>(_ verb: String, _ body: () throws -> Found) throws -> Found {
    do {
      return try body()
    } catch let error as StoreError {
      throw CommandError("cannot \(verb) the sessions in \(self): \(error.text)")
    } catch let error as StoreOpenError {
      throw CommandError(text(error))
    } catch let error as PostgreSQLOpenError {
      throw CommandError("\(error)")
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
