package import FusionSessions

/// The result of a tool's change to a session.
package enum OfflineOutcome: Sendable, Equatable {
  case done
  /// There is no session by that id.
  case unknown
  /// There is a session by that id already.
  case exists
  /// Another session (the associated value) has its name already.
  case named(SessionID)
  /// A living node owns the session.
  case held(Node)
  /// The session has gone on since it was read.
  case changed
}

/// Changes by tools to sessions that no node owns, in a transaction that keeps nodes from acquiring them.
enum OfflineEditor {
  /// Puts a session into the database; `history` is the part of its log that its State covers.
  static func put(
    _ session: StoredSession,
    _ history: [LogEntry] = [],
    replacing: Bool,
    in connection: Connection
  ) throws(PostgreSQLError) -> OfflineOutcome {
    var epoch = CreateStatements.epoch
    switch try lock(session.id, in: connection) {
    case .unknown: break
    case .held(let node): return .held(node)
    case .free where !replacing: return .exists
    case .free(let last):
      // A new epoch refuses appends of earlier owners that are still on their way.
      epoch = last + 1
      try end(session.id, in: connection)
    }
    switch try CreateStatements.createUnowned(session, epoch, in: connection) {
    case nil: break
    case .taken(let other): return .named(other)
    case .some: return .exists
    }
    try CreateStatements.add(history, to: session.id, in: connection)
    try CreateStatements.addRest(of: session, in: connection)
    return .done
  }

  static func delete(
    _ id: SessionID,
    in connection: Connection
  ) throws(PostgreSQLError) -> OfflineOutcome {
    switch try lock(id, in: connection) {
    case .unknown: return .unknown
    case .held(let node): return .held(node)
    case .free:
      try end(id, in: connection)
      return .done
    }
  }

  /// Appends entries, and stores the State after them in whole, as the new head.
  static func append(
    _ append: StoreChange.Append,
    in connection: Connection
  ) throws(PostgreSQLError) -> OfflineOutcome {
    guard let head = append.head, let time = append.entries.last?.time else { return .changed }
    switch try lock(append.session, in: connection) {
    case .unknown: return .unknown
    case .held(let node): return .held(node)
    case .free: break
    }
    var parameters = Parameters(append.session, append.after, head.sequence, head.version)
    parameters.add(Int32(clamping: append.entries.count))
    parameters.add(PackedEntries(append.entries))
    parameters.add(head.format)
    parameters.add(head.state)
    parameters.add(time)
    let rows = try connection.run(appending, parameters)
    return rows.count == 1 ? .done : .changed
  }

  private enum State {
    case unknown
    case held(Node)
    /// No node owns the session; the value is its last epoch.
    case free(Int64)
  }

  private static func lock(
    _ id: SessionID,
    in connection: Connection
  ) throws(PostgreSQLError) -> State {
    let rows = try connection.run(locking, Parameters(id))
    guard rows.count == 1 else { return .unknown }
    return rows.node(0, from: 1).map { .held($0) } ?? .free(rows.integer(0, 0))
  }

  private static func end(
    _ id: SessionID,
    in connection: Connection
  ) throws(PostgreSQLError) {
    try connection.run(ending, Parameters(id, SessionEnd.deleted.rawValue))
  }

  private static let locking = Statement(
    "lock_unowned",
    """
    SELECT s.epoch, s.owner, n.name, n.address
    FROM session s LEFT JOIN node n ON n.number = s.owner WHERE s.id = $1 FOR UPDATE OF s
    """
  )

  // A new epoch refuses appends of earlier owners that are still on their way.
  private static let appending = Statement(
    "append_unowned",
    """
    WITH moved AS (
      UPDATE session SET sequence = $3, used = greatest(used, $9), running = FALSE,
        interrupted = NULL, touched = clock_timestamp(), epoch = epoch + 1
      WHERE id = $1 AND sequence = $2 RETURNING id
    ), added AS (
      INSERT INTO entry (session, sequence, entries, version, body)
      SELECT id, $3, $5, $4, $6 FROM moved
    )
    UPDATE head SET sequence = $3, version = $4, format = $7, running = ''::bytea, state = $8
    FROM moved WHERE session = moved.id RETURNING session
    """
  )

  private static let ending = Statement(
    "end_unowned",
    """
    WITH gone AS (DELETE FROM session WHERE id = $1 RETURNING id),
    \(EndStatements.burying("$2", "clock_timestamp()"))
    SELECT count(*) FROM gone
    """
  )
}
