import FusionSessions

/// What dead nodes have left: a lease that has run out once has run out for good.
enum Orphans {
  /// How long a dead node is remembered: longer than any statement of its own may take.
  static let memory = "interval '1 hour'"
  /// How many sessions one statement takes.
  private static let step = 1_000

  /// Makes all sessions of dead nodes nobody's.
  static func free(in connection: Connection) throws(PostgreSQLError) {
    try connection.run(ending)
    while try connection.run(freeing).int(0, 0) == step {}
    try connection.run(forgetting)
  }

  // Waits for a renewal that is being committed, and then judges anew.
  private static let ending = Statement(
    "end_leases",
    "UPDATE node SET gone = clock_timestamp() WHERE gone IS NULL AND expires <= clock_timestamp()"
  )

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
