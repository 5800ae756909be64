import FusionSessions

/// The statements that free the sessions of dead nodes; an expired lease stays expired.
enum OrphanedSessions {
  /// The time that the row of a dead node is kept, longer than any of its statements may take.
  static let memory = "interval '1 hour'"
  /// The number of sessions that one statement frees.
  private static let step = 1_000

  /// A node whose lease has expired, and the number of its sessions.
  typealias DeadNode = (node: Node, sessions: Int)

  /// Frees all sessions of dead nodes; calls `report` with each that was not known to be dead.
  static func free(
    in connection: Connection,
    _ report: (DeadNode) -> Void = { _ in }
  ) throws(PostgreSQLError) {
    let dead = try connection.run(ending)
    for row in dead.indices { deadNode(dead, row, from: 0).map(report) }
    while try connection.run(freeing).int(0, 0) == step {}
    try connection.run(forgetting)
  }

  /// Reads the columns of ``columns(_:)``; nil if they are NULL.
  static func deadNode(_ rows: Rows, _ row: Int, from first: Int) -> DeadNode? {
    rows.node(row, from: first).map { ($0, rows.int(row, first + 3)) }
  }

  /// Returns the columns of a dead node for a table alias.
  static func columns(_ node: String) -> String {
    "\(node).number, \(node).name, \(node).address, (SELECT count(*) FROM session WHERE owner = \(node).number)"
  }

  // Skips locked rows, whose lease is being renewed or whose node hangs. The outer condition checks again a lease
  // that was renewed in between.
  private static let ending = Statement(
    "end_leases",
    """
    UPDATE node n SET gone = clock_timestamp() WHERE \(over) AND number IN (
      SELECT number FROM node WHERE \(over) FOR UPDATE SKIP LOCKED
    )
    RETURNING \(columns("n"))
    """
  )

  private static let over = "gone IS NULL AND expires <= clock_timestamp()"

  private static let freeing = Statement(
    "free_sessions",
    """
    WITH found AS MATERIALIZED (
      SELECT s.id FROM node n CROSS JOIN LATERAL (
        SELECT id FROM session WHERE owner = n.number LIMIT \(step) FOR UPDATE SKIP LOCKED
      ) s WHERE n.gone IS NOT NULL LIMIT \(step)
    ), freed AS (
      UPDATE session s SET owner = NULL, \(releasing) FROM found WHERE s.id = found.id
    )
    SELECT count(*) FROM found
    """
  )

  // The idle time of an interrupted session begins anew, so that a node can wake it before it expires.
  private static let releasing = """
    released = \(AlarmStatements.released("CASE WHEN running THEN clock_timestamp() ELSE touched END")),
      interrupted = CASE WHEN running THEN nextval('interruption') END
    """

  private static let forgetting = Statement(
    "forget_nodes",
    """
    DELETE FROM node WHERE gone < clock_timestamp() - \(memory)
    AND NOT EXISTS (SELECT FROM session WHERE owner = number)
    """
  )
}
