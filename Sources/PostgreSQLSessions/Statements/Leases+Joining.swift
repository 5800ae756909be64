import FusionSessions

extension Leases {
  /// Ends one lease, if it has not ended, and begins another, under a number that no lease has had.
  ///
  /// Whether the new one stands may not become known. So it is told of before it is committed, and whoever tries
  /// again names it: then the same row is waited for and taken over, and none is left behind. Nobody has had a
  /// session by that number.
  static func join(
    as newcomer: Newcomer,
    after number: Int64,
    attempted: Attempt?,
    in connection: Connection,
    _ tell: (Attempt) -> Void
  ) throws(PostgreSQLError) -> Node {
    var parameters = Parameters()
    parameters.add(number)
    parameters.add(newcomer.name)
    parameters.add(newcomer.address)
    parameters.add(newcomer.time)
    if let attempted, try join(attempted, parameters, in: connection) {
      return newcomer.node(attempted.number)
    }
    try connection.run("BEGIN")
    let rows = try connection.run(joining, parameters)
    guard rows.count == 1 else { throw .damaged("a node was given no number") }
    let attempt = Attempt(number: rows.integer(0, 0), time: rows.integer(0, 1))
    tell(attempt)
    try connection.run(Creations.committing)
    return newcomer.node(attempt.number)
  }

  /// False where others have found that the lease had run out, or where it is not there.
  ///
  /// The server that takes another's place may never have received it, and gives its number to others.
  private static func join(
    _ attempted: Attempt,
    _ parameters: Parameters,
    in connection: Connection
  ) throws(PostgreSQLError) -> Bool {
    var parameters = parameters
    parameters.add(attempted.number)
    parameters.add(attempted.time)
    try connection.run("BEGIN")
    let rows = try connection.run(joiningAgain, parameters)
    guard rows.count == 1, rows.bool(0, 0) else {
      try connection.run("ROLLBACK")
      return false
    }
    try connection.run(Creations.committing)
    return true
  }

  /// A lease that may stand.
  struct Attempt: Equatable {
    var number: Int64
    /// When it was begun, in microseconds by the clock of the server that was asked.
    var time: Int64
  }

  struct Newcomer {
    var name: String
    var address: String
    /// How long its lease is.
    var time: Duration

    func node(_ number: Int64) -> Node { Node(number, name: name, address: address) }
  }

  private static let before = """
    WITH before AS (
      UPDATE node SET gone = clock_timestamp(), expires = least(expires, clock_timestamp())
      WHERE number = $1 AND gone IS NULL
    )
    """

  private static let joining = Statement(
    "join",
    """
    \(before)
    INSERT INTO node (name, address, expires)
    VALUES ($2, $3, clock_timestamp() + $4 * interval '1 second')
    RETURNING number, \(time)
    """
  )

  // To insert the number is to wait for a transaction that has done so. What it inserts is over, and says by that
  // that there was none; it is rolled back.
  private static let joiningAgain = Statement(
    "join_again",
    """
    \(before)
    INSERT INTO node (number, name, address, expires, gone) OVERRIDING SYSTEM VALUE
    VALUES ($5, $2, $3, clock_timestamp(), clock_timestamp())
    ON CONFLICT (number) DO UPDATE SET expires = clock_timestamp() + $4 * interval '1 second'
    WHERE node.gone IS NULL AND node.name = $2 AND node.address = $3 AND \(time) = $6
    RETURNING gone IS NULL
    """
  )

  private static let time = "(extract(epoch FROM node.joined) * 1000000)::bigint"
}
