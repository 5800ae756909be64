package import FusionSessions

/// Sessions of another store on their way into a database, also beside its nodes: all of them in one transaction.
///
/// None of them is there before it is finished, and none where it is not. Nobody has them then. Belongs to one thread
/// at a time.
package final class DatabaseCopy {
  private let connection: Connection
  private let replacing: Bool
  /// Whether both stores make digests of bodies with the same secret.
  private let keepsDigests: Bool

  /// Begins one.
  ///
  /// The database takes over the other store's secret where nobody can have read its own. Where it does not, and has
  /// another one, sessions come without the digests of the bodies that their keys were sent with.
  ///
  /// - Parameters:
  ///   - archive: where the sessions go; of no other use until this is done.
  ///   - secret: that of the other store.
  ///   - replacing: whether a session may take the place of one that has its id.
  /// - Throws: ``StoreError``; nothing has come then.
  package init(
    into archive: PostgreSQLSessionArchive,
    secret: [UInt8],
    replacing: Bool
  ) throws(StoreError) {
    connection = archive.connection
    self.replacing = replacing
    do throws(PostgreSQLError) {
      try Orphans.free(in: connection)
      try connection.run("BEGIN ISOLATION LEVEL READ COMMITTED")
      let isSame = try Schema.secret(connection) == secret
      keepsDigests = isSame ? true : try Schema.takeOver(secret, connection)
    } catch {
      throw error.storeError(ofChange: false)
    }
  }

  /// Adds a session, and of its log as much as a database keeps of what its State has covered.
  ///
  /// Anything but ``PostgreSQLSessionArchive/Outcome/done`` says why it cannot come, and with it all of them.
  package func add(
    _ session: StoredSession,
    log: [LogEntry] = []
  ) throws(StoreError) -> PostgreSQLSessionArchive.Outcome {
    var (session, history) = (session, Self.history(of: session, in: log))
    if !keepsDigests {
      for place in session.keys.indices { session.keys[place].digest = [] }
      for place in session.entries.indices { session.entries[place].key?.digest = [] }
      for place in history.indices { history[place].key?.digest = [] }
    }
    do throws(PostgreSQLError) {
      return try OfflineEditor.put(session, history, replacing: replacing, in: connection)
    } catch {
      // Nothing is committed yet: however the connection ended, nothing of it stands.
      throw error.storeError(ofChange: false)
    }
  }

  /// The newest of the entries that lead up to a session's State without a gap.
  private static func history(of session: StoredSession, in log: [LogEntry]) -> [LogEntry] {
    let options = PostgreSQLSessionStore.Options()
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

  /// - Throws: ``StoreError/inDoubt`` where nobody knows whether they stand; else none does.
  package func finish() throws(StoreError) {
    do throws(PostgreSQLError) {
      try connection.run(Creations.committing)
    } catch {
      throw error.storeError(ofChange: true)
    }
  }
}
