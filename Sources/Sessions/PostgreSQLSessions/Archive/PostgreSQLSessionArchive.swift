package import FusionSessions

/// An archive of a database: tools read all sessions while the nodes run, and change sessions without an owner.
///
/// Used by one thread at a time. An archive is not a node and has no lease.
package final class PostgreSQLSessionArchive: SessionArchive {
  /// The most time of a statement, enough to list many sessions.
  private static let timeout = Duration.seconds(300)

  let connection: Connection

  /// Connects to the server, which may be a standby for reading only.
  ///
  /// - Throws: ``PostgreSQLOpenError``, also if the tables have another version, or are missing and not to be created.
  package init(
    _ connectionString: String,
    onlyToRead: Bool = false,
    makesTables: Bool = false
  ) throws(PostgreSQLOpenError) {
    let settings = try ConnectionSettings(connectionString, onlyToRead: onlyToRead)
    do throws(PostgreSQLError) {
      connection = try Connection(
        settings,
        timeout: Self.timeout,
        setup: """
          SET statement_timeout = 0; SET lock_timeout = '4s';
          SELECT set_config('synchronous_commit', \(PostgreSQLOptions.durable), FALSE)
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
    try reading(ListStatements.summaries(in: connection))
  }

  package func count() throws(StoreError) -> Int {
    try reading(ListStatements.count(in: connection))
  }

  package func history(
    of id: SessionID
  ) throws(StoreError) -> (session: StoredSession, log: [LogEntry])? {
    try reading(ReadStatements.history(of: id, in: connection))
  }

  package func load(_ id: SessionID) throws(StoreError) -> StoredSession? {
    try reading(ReadStatements.read(id, in: connection))
  }

  package func readBack(
    _ id: SessionID,
    from point: HistoryPoint,
    _ body: (LogEntry) -> Bool
  ) throws(StoreError) {
    try reading(PastStatements.readBack(id, from: point, in: connection, body))
  }

  package func migrations(
    of id: SessionID,
    after sequence: Int
  ) throws(StoreError) -> [FormatChange] {
    try reading(PastStatements.migrations(of: id, after: sequence, in: connection))
  }

  package func shares(of id: SessionID) throws(StoreError) -> [StoredShare] {
    try reading(ShareStatements.find(.session(id), in: connection))
  }

  package func owner(of id: SessionID) throws(StoreError) -> Node? {
    try reading(ListStatements.owner(of: id, in: connection))
  }

  package func contains(_ id: SessionID) throws(StoreError) -> Bool {
    try reading(ListStatements.contains(id, in: connection))
  }

  /// Returns the nodes, and the number of sessions without an owner.
  package func nodes() throws(StoreError) -> (nodes: [NodeStatus], unowned: Int) {
    try reading(
      (LeaseStatements.nodes(in: connection), ListStatements.unowned(in: connection))
    )
  }

  /// Returns the nodes whose leases have not expired.
  package func livingNodes() throws(StoreError) -> [Node] {
    try reading(LeaseStatements.livingNodes(in: connection))
  }

  /// Nodes go on meanwhile, but the database cannot vacuum dead rows until this ends.
  package func read<Copy: ~Copyable>(
    begin: (_ secret: [UInt8]) throws -> Copy,
    wanted isWanted: (SessionID) -> Bool,
    damaged: (inout Copy, SessionID, StoreError) throws -> Void,
    _ add: (inout Copy, StoredSession, _ log: [LogEntry]) throws -> Void
  ) throws -> Copy {
    do {
      try connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      var copy = try begin(try Schema.secret(connection))
      for id in try ListStatements.ids(in: connection) where isWanted(id) {
        switch Result(catching: { () throws(StoreError) in try history(in: connection, of: id) }) {
        case .success(nil): continue
        case .success(let (session, log)?): try add(&copy, session, log)
        case .failure(.damaged(let text)): try damaged(&copy, id, .damaged(text))
        case .failure(let error): throw error
        }
      }
      try connection.run("COMMIT")
      return copy
    } catch {
      _ = try? connection.run("ROLLBACK")
      throw (error as? PostgreSQLError)?.storeError(ofChange: false) ?? error
    }
  }

  /// Reads a session and its log within the caller's transaction; names a session that cannot be read.
  private func history(
    in connection: Connection,
    of id: SessionID
  ) throws(StoreError) -> (session: StoredSession, log: [LogEntry])? {
    do throws(PostgreSQLError) {
      return try ReadStatements.history(of: id, in: connection)
    } catch {
      throw error.storeError(ofChange: false).naming(id)
    }
  }

  /// Reads something in a transaction that sees the database as of one moment.
  private func reading<Found>(
    _ found: @autoclosure () throws(PostgreSQLError) -> Found
  ) throws(StoreError) -> Found {
    do throws(PostgreSQLError) {
      return try connection.inSnapshot(found())
    } catch {
      _ = try? connection.run("ROLLBACK")
      throw error.storeError(ofChange: false)
    }
  }
}

// MARK: Changing

extension PostgreSQLSessionArchive {
  package typealias Outcome = OfflineOutcome

  /// Stores a session, without an owner, and replaces one by the same id if asked to.
  package func put(
    _ session: StoredSession,
    replacing: Bool
  ) throws(StoreError) -> Outcome {
    try changing(OfflineEditor.put(session, replacing: replacing, in: connection))
  }

  /// Ends a session.
  package func delete(_ id: SessionID) throws(StoreError) -> Outcome {
    try changing(OfflineEditor.delete(id, in: connection))
  }

  /// Forgets the crashes of a session, whichever node has it; returns whether it was set aside.
  package func resume(_ id: SessionID) throws(StoreError) -> Bool {
    do throws(PostgreSQLError) {
      return try CrashStatements.forget(id, in: connection)
    } catch {
      throw error.storeError(ofChange: true)
    }
  }

  /// Calls a function that appends to sessions, and commits all appends, or none if it throws.
  package func appending(
    _ body: (_ append: (StoreChange.Append) throws(StoreError) -> Outcome) throws -> Void
  ) throws {
    do {
      try OrphanedSessions.free(in: connection)
      try connection.run("BEGIN ISOLATION LEVEL READ COMMITTED")
      try body { [connection] (append) throws(StoreError) in
        do throws(PostgreSQLError) {
          return try OfflineEditor.append(append, in: connection)
        } catch {
          throw error.storeError(ofChange: false)
        }
      }
      try connection.run(CreateStatements.committing)
    } catch {
      _ = try? connection.run("ROLLBACK")
      throw (error as? PostgreSQLError)?.storeError(ofChange: true) ?? error
    }
  }

  private func changing(
    _ change: @autoclosure () throws(PostgreSQLError) -> Outcome
  ) throws(StoreError) -> Outcome {
    do throws(PostgreSQLError) {
      try OrphanedSessions.free(in: connection)
      try connection.run("BEGIN ISOLATION LEVEL READ COMMITTED")
      let outcome = try change()
      if outcome == .done {
        try connection.run(CreateStatements.committing)
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
