package import FusionSessions

/// A transaction that copies the sessions of another store into a database, even while its nodes run; used by one
/// thread at a time.
///
/// The sessions appear when the copy is finished, without an owner; an unfinished copy leaves none.
package final class DatabaseCopy {
  private let connection: Connection
  private let replacing: Bool
  /// Whether both stores have the same secret, so that the keys' digests stay valid.
  private let keepsDigests: Bool

  /// Begins a copy.
  ///
  /// The database takes over the other store's secret if no node can have read its own. Otherwise, unless the two are
  /// equal, sessions come without the digests of their keys' request bodies.
  ///
  /// - Parameters:
  ///   - archive: the destination, which must not be used otherwise until the copy is done.
  ///   - secret: the other store's secret.
  ///   - replacing: whether a session may replace one by the same id.
  /// - Throws: ``StoreError``, with nothing copied.
  package init(
    into archive: PostgreSQLSessionArchive,
    secret: [UInt8],
    replacing: Bool
  ) throws(StoreError) {
    connection = archive.connection
    self.replacing = replacing
    do throws(PostgreSQLError) {
      try OrphanedSessions.free(in: connection)
      try connection.run("BEGIN ISOLATION LEVEL READ COMMITTED")
      let isSame = try Schema.secret(connection) == secret
      keepsDigests = isSame ? true : try Schema.takeOver(secret, connection)
    } catch {
      throw error.storeError(ofChange: false)
    }
  }

  /// Adds a session with as much history as a database keeps.
  ///
  /// Any outcome but ``OfflineOutcome/done`` is the reason why the whole copy cannot be finished.
  package func add(
    _ session: StoredSession,
    log: [LogEntry] = []
  ) throws(StoreError) -> OfflineOutcome {
    var (session, history) = (session, Self.history(of: session, in: log))
    if !keepsDigests {
      for place in session.keys.indices { session.keys[place].digest = [] }
      for place in session.entries.indices { session.entries[place].key?.digest = [] }
      for place in history.indices { history[place].key?.digest = [] }
    }
    do throws(PostgreSQLError) {
      return try OfflineEditor.put(session, history, replacing: replacing, in: connection)
    } catch {
      // Nothing is committed yet, so nothing is in doubt.
      throw error.storeError(ofChange: false)
    }
  }

  /// Returns the newest entries, up to the limits, that lead up to a session's head without a gap.
  private static func history(of session: StoredSession, in log: [LogEntry]) -> [LogEntry] {
    let options = PostgreSQLOptions()
    var (history, bytes): ([LogEntry], Int) = ([], 0)
    for entry in log.reversed() where entry.sequence <= session.head.sequence {
      guard entry.sequence == session.head.sequence - history.count,
        history.count < options.historyLimit, bytes < options.historyBytes
      else { break }
      history.append(entry)
      bytes += entry.size
    }
    return history.reversed()
  }

  /// Commits the copy; ``StoreError/inDoubt`` leaves open whether it is committed.
  package func finish() throws(StoreError) {
    do throws(PostgreSQLError) {
      try connection.run(CreateStatements.committing)
    } catch {
      throw error.storeError(ofChange: true)
    }
  }
}
