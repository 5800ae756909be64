package import FusionSessions

/// Reads a database's sessions beside the nodes that serve them, and changes those that nobody has; for tools.
///
/// It is no node: it has no lease, and makes no tables. Belongs to one thread at a time.
package final class PostgreSQLSessionArchive: SessionArchive {
  /// A list of many sessions takes its time.
  private static let patience = Duration.seconds(300)

  let connection: Connection

  /// Connects to the server; one that only reads may be a standby.
  ///
  /// - Throws: ``PostgreSQLOpenError``, also where there are no tables and none are to be made, or of another shape.
  package init(
    _ connectionString: String,
    onlyToRead: Bool = false,
    makesTables: Bool = false
  ) throws(PostgreSQLOpenError) {
    let settings = try ConnectionSettings(connectionString, onlyToRead: onlyToRead)
    do throws(PostgreSQLError) {
      connection = try Connection(
        settings,
        patience: Self.patience,
        setup: """
          SET statement_timeout = 0; SET lock_timeout = '4s';
          SELECT set_config('synchronous_commit', \(PostgreSQLSessionStore.durable), FALSE)
          """
      )
    } catch {
      throw .unreachable("\(settings)", error.text)
    }
    if makesTables {
      try Schema.prepare(connection, of: "\(settings)")
    } else {
      try Schema.check(connection, of: "\(settings)")
    }
  }

  package func summaries() throws(StoreError) -> [SessionSummary] {
    try reading { (connection) throws(PostgreSQLError) in
      try Listing.summaries(in: connection)
    }
  }

  package func history(
    of id: SessionID
  ) throws(StoreError) -> (session: StoredSession, log: [LogEntry])? {
    try reading { (connection) throws(PostgreSQLError) in
      guard let session = try Reading.read(id, in: connection) else { return nil }
      return (session, try Reading.log(of: id, in: connection))
    }
  }

  package func owner(of id: SessionID) throws(StoreError) -> Node? {
    try reading { (connection) throws(PostgreSQLError) in
      try Listing.owner(of: id, in: connection)
    }
  }

  /// Who is there, and how many sessions nobody has.
  package func nodes() throws(StoreError) -> (nodes: [NodeStatus], unowned: Int) {
    try reading { (connection) throws(PostgreSQLError) in
      (try Leases.nodes(in: connection), try Listing.unowned(in: connection))
    }
  }

  /// Whose leases have not run out.
  package func living() throws(StoreError) -> [Node] {
    try reading { (connection) throws(PostgreSQLError) in try Leases.living(in: connection) }
  }

  /// The nodes go on meanwhile; their database cannot clean up behind them for as long as this takes.
  package func read<Copy: ~Copyable>(
    begin: (_ secret: [UInt8]) throws -> Copy,
    _ add: (inout Copy, StoredSession, _ log: [LogEntry]) throws -> Void
  ) throws -> Copy {
    do {
      try connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      var copy = try begin(try Schema.secret(connection))
      for id in try Listing.ids(in: connection) {
        guard let (session, log) = try readHistory(of: id) else { continue }
        try add(&copy, session, log)
      }
      try connection.run("COMMIT")
      return copy
    } catch {
      _ = try? connection.run("ROLLBACK")
      throw (error as? PostgreSQLError)?.storeError(ofChange: false) ?? error
    }
  }

  /// Within a transaction.
  private func readHistory(
    of id: SessionID
  ) throws(StoreError) -> (StoredSession, log: [LogEntry])? {
    do throws(PostgreSQLError) {
      guard let session = try Reading.read(id, in: connection) else { return nil }
      return (session, try Reading.log(of: id, in: connection))
    } catch {
      throw error.storeError(ofChange: false).naming(id)
    }
  }

  /// Calls what reads, all of it as it was at one moment.
  private func reading<Found>(
    _ body: (Connection) throws(PostgreSQLError) -> Found
  ) throws(StoreError) -> Found {
    do throws(PostgreSQLError) {
      try connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      let found = try body(connection)
      try connection.run("COMMIT")
      return found
    } catch {
      _ = try? connection.run("ROLLBACK")
      throw error.storeError(ofChange: false)
    }
  }
}

// MARK: Changing

extension PostgreSQLSessionArchive {
  /// What came of changing a session.
  package enum Outcome: Sendable, Equatable {
    case done
    /// Nothing is kept by that id.
    case unknown
    /// There is one by that id.
    case exists
    /// A node that lives has it.
    case held(Node)
  }

  /// Puts a session in, also in the place of another one; nobody has it then.
  package func put(
    _ session: StoredSession,
    replacing: Bool
  ) throws(StoreError) -> Outcome {
    try changing { (connection) throws(PostgreSQLError) in
      try OfflineEditor.put(session, replacing: replacing, in: connection)
    }
  }

  /// Ends a session.
  package func delete(_ id: SessionID) throws(StoreError) -> Outcome {
    try changing { (connection) throws(PostgreSQLError) in
      try OfflineEditor.delete(id, in: connection)
    }
  }

  private func changing(
    _ body: (Connection) throws(PostgreSQLError) -> Outcome
  ) throws(StoreError) -> Outcome {
    do throws(PostgreSQLError) {
      try Orphans.free(in: connection)
      try connection.run("BEGIN ISOLATION LEVEL READ COMMITTED")
      let outcome = try body(connection)
      if outcome == .done {
        try connection.run(Creations.committing)
      } else {
        try connection.run("ROLLBACK")
      }
      return outcome
    } catch {
      _ = try? connection.run("ROLLBACK")
      throw error.storeError(ofChange: true)
    }
  }
}
