import FusionSessions

extension LeaseStatements {
  /// Ends one lease, unless it has ended, and begins another under a new number.
  ///
  /// Whether the new lease is committed may stay unknown. So `note` is called with it before the commit, and the next
  /// attempt passes it as `attempted`: that attempt waits for the same row and takes it over, so that none is left
  /// behind. No session was acquired under that number.
  static func join(
    as newcomer: JoiningNode,
    after lease: LeaseID?,
    attempted: LeaseID?,
    in connection: Connection,
    _ note: (LeaseID) -> Void
  ) throws(PostgreSQLError) -> LeaseID {
    let parameters = Parameters(
      lease?.number ?? 0,
      lease?.begun ?? 0,
      newcomer.name,
      newcomer.address,
      newcomer.time
    )
    if let attempted, try join(attempted, parameters, in: connection) { return attempted }
    try connection.run("BEGIN")
    let rows = try connection.run(joining, parameters)
    guard rows.count == 1 else { throw .damaged("a node was given no number") }
    let lease = LeaseID(number: rows.integer(0, 0), begun: rows.integer(0, 1))
    note(lease)
    try connection.run(CreateStatements.committing)
    return lease
  }

  /// Takes over an attempted lease; returns false if it expired or does not exist.
  ///
  /// After a failover the new server may lack the row, and assign its number to others.
  private static func join(
    _ attempted: LeaseID,
    _ parameters: Parameters,
    in connection: Connection
  ) throws(PostgreSQLError) -> Bool {
    var parameters = parameters
    parameters.add(attempted.number)
    parameters.add(attempted.begun)
    try connection.run("BEGIN")
    let rows = try connection.run(joiningAgain, parameters)
    guard rows.count == 1, rows.bool(0, 0) else {
      try connection.run("ROLLBACK")
      return false
    }
    try connection.run(CreateStatements.committing)
    return true
  }

  struct JoiningNode {
    var name: String
    var address: String
    /// The length of the node's lease.
    var time: Duration
  }

  private static let before = """
    WITH before AS (
      UPDATE node SET gone = clock_timestamp(), expires = least(expires, clock_timestamp())
      WHERE number = $1 AND \(LeaseID.begun) = $2 AND gone IS NULL
    )
    """

  private static let joining = Statement(
    "join",
    """
    \(before)
    INSERT INTO node (name, address, expires)
    VALUES ($3, $4, clock_timestamp() + $5 * interval '1 second')
    RETURNING number, \(LeaseID.begun)
    """
  )

  // Inserting the number waits for an open transaction that has inserted it. An inserted row means that there was
  // none, and is rolled back.
  private static let joiningAgain = Statement(
    "join_again",
    """
    \(before)
    INSERT INTO node (number, name, address, expires, gone) OVERRIDING SYSTEM VALUE
    VALUES ($6, $3, $4, clock_timestamp(), clock_timestamp())
    ON CONFLICT (number) DO UPDATE SET expires = clock_timestamp() + $5 * interval '1 second'
    WHERE node.gone IS NULL AND node.name = $3 AND node.address = $4 AND \(LeaseID.begun) = $7
    RETURNING gone IS NULL
    """
  )
}
