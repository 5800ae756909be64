import FusionSessions

/// The statements by which a node acquires a session.
enum AcquireStatements {
  enum Outcome {
    /// The node owns the session in this epoch.
    case taken(Int64)
    case elsewhere(Node, SessionOrigin)
    case ended(SessionEnd)
    case unknown
    /// The node's own lease has expired.
    case fenced
  }

  private static let attempts = 5

  /// Acquires a session; calls `report` if its owner is found to be dead.
  static func acquire(
    _ id: SessionID,
    as node: Int64,
    in connection: Connection,
    _ report: (OrphanedSessions.DeadNode) -> Void
  ) throws(PostgreSQLError) -> Outcome {
    let parameters = Parameters(id, node)
    for _ in 1...attempts {
      let rows = try connection.run(taking, parameters)
      guard rows.count == 1 else { return try end(of: id, in: connection) }
      if let dead = OrphanedSessions.deadNode(rows, 0, from: 8) { report(dead) }
      if !rows.isNull(0, 1) { return .taken(rows.integer(0, 1)) }
      guard rows.bool(0, 0) else { return .fenced }
      if let owner = rows.node(0, from: 2) {
        let origin = SessionOrigin(
          identity: rows.optionalText(0, 5),
          creator: rows.optionalText(0, 6),
          viewModel: rows.text(0, 7)
        )
        return .elsewhere(owner, origin)
      }
      // The row changed meanwhile: another node, the owner's renewal, or an own statement that was given up.
    }
    throw PostgreSQLError(
      kind: .refused(sqlState: "40001"),
      text: "others took the session meanwhile"
    )
  }

  private static func end(
    of id: SessionID,
    in connection: Connection
  ) throws(PostgreSQLError) -> Outcome {
    let rows = try connection.run(ending, Parameters(id))
    guard rows.count == 1 else { return .unknown }
    guard let end = SessionEnd(rawValue: rows.text(0, 0)) else {
      throw .damaged("a session ended for the reason \(rows.text(0, 0))")
    }
    return .ended(end)
  }

  // Ends the owner's lease if it seems expired. The update waits for a renewal that is being committed and then checks
  // the row again; afterwards no renewal revives the lease, whatever the clock does.
  private static let taking = Statement(
    "acquire",
    awaitsStandby: true,
    """
    WITH seen AS MATERIALIZED (
      SELECT id, owner, epoch, identity, creator, view_model FROM session WHERE id = $1
    ),
    dead AS (
      UPDATE node n SET gone = clock_timestamp() FROM seen
      WHERE n.number = seen.owner AND n.number <> $2 AND n.gone IS NULL
      AND n.expires <= clock_timestamp() RETURNING \(OrphanedSessions.columns("n"))
    ), living AS MATERIALIZED (\(LeaseStatements.living("$2"))),
    taken AS (
      UPDATE session s SET owner = $2, epoch = s.epoch + 1, touched = clock_timestamp(),
        released = NULL, interrupted = NULL
      FROM seen WHERE s.id = seen.id AND s.epoch = seen.epoch AND s.owner IS NOT DISTINCT FROM seen.owner
      AND EXISTS (SELECT FROM living)
      AND (seen.owner IS NULL OR seen.owner = $2 OR EXISTS (SELECT FROM dead)
        OR NOT EXISTS (SELECT FROM node WHERE number = seen.owner AND gone IS NULL))
      RETURNING s.epoch
    )
    SELECT EXISTS (SELECT FROM living), taken.epoch, n.number, n.name, n.address, seen.identity,
      seen.creator, seen.view_model, dead.*
    FROM seen LEFT JOIN taken ON TRUE LEFT JOIN dead ON TRUE LEFT JOIN node n
      ON n.number = seen.owner AND n.number <> $2 AND n.gone IS NULL AND n.expires > clock_timestamp()
    """
  )

  private static let ending = Statement("end_of", "SELECT reason FROM ended WHERE id = $1")
}
