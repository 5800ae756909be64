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
  func read<Found: ~Copyable>(_ body: (any SessionArchive) throws -> Found) throws -> Found {
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

extension StoreLocation {
  /// Ends a session that no service has in use.
  ///
  /// - Throws: ``CommandError``, which names the location.
  func delete(_ id: SessionID) throws {
    switch storage {
    case .memory: throw Self.memory
    case .folder(let path):
      // Opening a missing folder for writing would create it.
      try read { _ in }
      try write(in: path) { store in
        guard try store.inventory().sessions.contains(where: { $0.id == id }) else {
          throw unknown(id)
        }
        try store.perform(.end([id], .deleted, at: .now))
        // Removes the session from the log, too.
        store.tidy()
      }
    case .postgresql(let string):
      try settle(explaining("write") { try PostgreSQLSessionArchive(string).delete(id) }, id)
    }
  }

  /// Forgets the crashes of a session, also beside a running service; returns whether it was set aside.
  ///
  /// - Throws: ``CommandError``, which names the location.
  func resume(_ id: SessionID) throws -> Bool {
    guard try read({ try $0.contains(id) }) else { throw unknown(id) }
    return try explaining("write") {
      switch storage {
      case .memory: throw Self.memory
      case .folder(let path): try SQLiteSessionArchive.resume(id, in: path)
      case .postgresql(let string): try PostgreSQLSessionArchive(string).resume(id)
      }
    }
  }

  /// Stores an imported session, on demand in place of a session with its id that no service has in use.
  ///
  /// - Throws: ``CommandError``, which names the location.
  func put(_ session: StoredSession, replacing: Bool) throws {
    switch storage {
    case .memory: throw Self.memory
    case .folder(let path):
      try write(in: path) { store in
        do {
          try store.perform(.create(session))
        } catch StoreError.taken(let other) {
          throw named(other)
        } catch StoreError.conflict {
          guard replacing else { throw exists(session.id) }
          try store.perform(.end([session.id], .deleted, at: .now))
          try store.perform(.create(session))
        }
      }
    case .postgresql(let string):
      let outcome = try explaining("write") {
        try PostgreSQLSessionArchive(string, makesTables: true).put(session, replacing: replacing)
      }
      try settle(outcome, session.id)
    }
  }

  /// Opens a folder that no service has in use.
  func write(in path: String, _ body: (SQLiteSessionStore) throws -> Void) throws {
    try explaining("write") {
      // How much history is kept is up to the service.
      var options = SQLiteSessionStore.Options()
      (options.historyLimit, options.historyBytes) = (.max, .max)
      let store = try SQLiteSessionStore(folder: path, options)
      defer { store.close() }
      try body(store)
    }
  }

  /// Throws if a session in a database was not changed.
  func settle(_ outcome: PostgreSQLSessionArchive.Outcome, _ id: SessionID) throws {
    switch outcome {
    case .done: break
    case .unknown: throw unknown(id)
    case .exists: throw exists(id)
    case .named(let other): throw named(other)
    case .changed: throw CommandError("session \(id) has gone on meanwhile: try again")
    case .held(let node):
      throw CommandError(
        "node \(node.number) (\(node.name)) owns session \(id), and releases it after --sleep-after without use or"
          + " when it stops"
      )
    }
  }

  private func named(_ id: SessionID) -> CommandError {
    CommandError("session \(id) in \(self) has this name already: delete it first")
  }

  private func exists(_ id: SessionID) -> CommandError {
    CommandError("session \(id) exists in \(self) already: give --replace, or delete it")
  }
}
