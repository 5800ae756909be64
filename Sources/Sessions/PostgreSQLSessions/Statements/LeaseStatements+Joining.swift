import FusionSessions

extension Leases {
  /// Ends one lease, if it has not ended, and begins another, under a number that no lease has had.
  ///
  /// Whether the new one stands may not become known. So it is told of before it is committed, and whoever tries
  /// again names it: then the same row is waited for and taken over, and none is left behind. Nobody has had a
  /// session by that number.
  static func join(
    as newcomer: Newcomer,
    after lease: LeaseID?,
    attempted: LeaseID?,
    in connection: Connection,
    _ tell: (LeaseID) -> Void
  ) throws(PostgreSQLError) -> LeaseID {
    var parameters = Parameters()
    parameters.add(lease?.number ?? 0)
    parameters.add(lease?.begun ?? 0)
    parameters.add(newcomer.name)
    parameters.add(newcomer.address)
    parameters.add(newcomer.time)
    if let attempted, try join(attempted, parameters, in: connection) { return attempted }
    try connection.run("BEGIN")
    let rows = try connection.run(joining, parameters)
    guard rows.count == 1 else { throw .damaged("a node was given no number") }
    let lease = LeaseID(number: rows.integer(0, 0), begun: rows.integer(0, 1))
    tell(lease)
    try connection.run(Creations.committing)
    return lease
  }

  /// False where others have found that the lease had run out, or where it is not there.
  ///
  /// The server that takes another's place may never have received it, and gives its number to others.
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
    try connection.run(Creations.committing)
    return true
  }

  struct Newcomer {
    var name: String
    var address: String
    /// How long its lease is.
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

  // To insert the number is to wait for a transaction that has done so. What it inserts is over, and says by that
  // that there was none; it is rolled back.
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
