import FusionSessions

/// What dead nodes have left: a lease that has run out once has run out for good.
enum Orphans {
  /// How long a dead node is remembered: longer than any statement of its own may take.
  static let memory = "interval '1 hour'"
  /// How many sessions one statement takes.
  private static let step = 1_000

  /// A node whose lease has been found to have run out, and how many sessions it had.
  typealias Dead = (node: Node, sessions: Int)

  /// Makes all sessions of dead nodes nobody's; tells of those that were not known to be dead.
  static func free(
    in connection: Connection,
    _ tell: (Dead) -> Void = { _ in }
  ) throws(PostgreSQLError) {
    let dead = try connection.run(ending)
    for row in dead.indices { tell(Self.dead(dead, row, from: 0)) }
    while try connection.run(freeing).int(0, 0) == step {}
    try connection.run(forgetting)
  }

  /// Reads the columns of ``columns(_:)``.
  static func dead(_ rows: Rows, _ row: Int, from first: Int) -> Dead {
    let (name, address) = (rows.text(row, first + 1), rows.text(row, first + 2))
    let node = Node(rows.integer(row, first), name: name, address: address)
    return (node, rows.int(row, first + 3))
  }

  /// Of a row of the table, by its alias.
  static func columns(_ node: String) -> String {
    "\(node).number, \(node).name, \(node).address, (SELECT count(*) FROM session WHERE owner = \(node).number)"
  }

  // Leaves out rows that somebody holds: one that is being renewed, or that its node cannot finish with. What was
  // renewed in the meantime is judged anew.
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

  /// What else is set of a session that nobody has any more.
  static let releasing = """
    released = touched, interrupted = CASE WHEN running THEN nextval('interruption') END
    """

  private static let forgetting = Statement(
    "forget_nodes",
    """
    DELETE FROM node WHERE gone < clock_timestamp() - \(memory)
    AND NOT EXISTS (SELECT FROM session WHERE owner = number)
    """
  )
}
