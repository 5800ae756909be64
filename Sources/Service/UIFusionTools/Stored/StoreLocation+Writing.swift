import FusionCommandLine
import FusionPostgreSQLSessions
import FusionSQLiteSessions
import FusionSessions
import UIFusionServer

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
