package import FusionSessions

/// The result of a tool's change to a session.
package enum OfflineOutcome: Sendable, Equatable {
  case done
  /// There is no session by that id.
  case unknown
  /// There is a session by that id already.
  case exists
  /// Another session, which is told, has its name already.
  case named(SessionID)
  /// A living node owns the session.
  case held(Node)
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

  private enum State {
    case unknown
    case held(Node)
    /// Free, with its last epoch.
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

  private static let ending = Statement(
    "end_unowned",
    """
    WITH gone AS (DELETE FROM session WHERE id = $1 RETURNING id),
    \(EndStatements.burying("$2", "clock_timestamp()"))
    SELECT count(*) FROM gone
    """
  )
}
