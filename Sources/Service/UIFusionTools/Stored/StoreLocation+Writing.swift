import FusionPostgreSQLSessions
import FusionSQLiteSessions
import FusionSessions
import UIFusionServer

extension StorePlace {
  /// Ends a session that nobody is at work on.
  ///
  /// - Throws: ``ToolError``, which names the place.
  func delete(_ id: SessionID) throws {
    switch storage {
    case .memory: throw Self.memory
    case .folder(let path):
      // Opening the folder to write would make what is missing.
      try read { _ in }
      try write(in: path) { store in
        guard try store.inventory().sessions.contains(where: { $0.id == id }) else {
          throw unknown(id)
        }
        try store.perform(.end([id], .deleted, at: .now))
        // Nothing of it stays behind in the log.
        store.tidy()
      }
    case .postgresql(let string):
      try settle(explaining("written") { try PostgreSQLSessionArchive(string).delete(id) }, id)
    }
  }

  /// Takes a session in, also in the place of one that has its id and that nobody is at work on.
  ///
  /// - Throws: ``ToolError``, which names the place.
  func put(_ session: StoredSession, replacing: Bool) throws {
    switch storage {
    case .memory: throw Self.memory
    case .folder(let path):
      try write(in: path) { store in
        if replacing { try store.perform(.end([session.id], .deleted, at: .now)) }
        do {
          try store.perform(.create(session))
        } catch StoreError.conflict {
          throw exists(session.id)
        }
      }
    case .postgresql(let string):
      let outcome = try explaining("written") {
        try PostgreSQLSessionArchive(string, makesTables: true).put(session, replacing: replacing)
      }
      try settle(outcome, session.id)
    }
  }

  /// In a folder that no service has.
  private func write(in path: String, _ body: (SQLiteSessionStore) throws -> Void) throws {
    try explaining("written") {
      let store = try SQLiteSessionStore(folder: path)
      defer { store.close() }
      try body(store)
    }
  }

  /// Throws what is in the way of changing a session.
  func settle(_ outcome: PostgreSQLSessionArchive.Outcome, _ id: SessionID) throws {
    switch outcome {
    case .done: break
    case .unknown: throw unknown(id)
    case .exists: throw exists(id)
    case .held(let node):
      throw ToolError(
        "node \(node.number) (\(node.name)) has session \(id): it lets go of it once nobody has used it for"
          + " --sleep-after, and when it stops"
      )
    }
  }

  private func exists(_ id: SessionID) -> ToolError {
    ToolError("there is a session \(id) in \(self) already: give --replace, or delete it")
  }
}
