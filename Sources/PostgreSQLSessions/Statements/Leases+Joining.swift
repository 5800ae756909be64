import FusionSessions

extension Leases {
  /// Ends one lease, if it has not ended, and begins another, under a number that no lease has had.
  ///
  /// Whether the new one stands may not become known. So its number is told before it is committed, and whoever
  /// tries again names it: then the same row is waited for and taken over, and none is left behind. Nobody has had
  /// a session by that number.
  static func join(
    as newcomer: Newcomer,
    after number: Int64,
    attempted: Int64?,
    in connection: Connection,
    _ tell: (_ number: Int64) -> Void
  ) throws(PostgreSQLError) -> Node {
    var parameters = Parameters()
    parameters.add(number)
    parameters.add(newcomer.name)
    parameters.add(newcomer.address)
    parameters.add(newcomer.time)
    if let attempted {
      var parameters = parameters
      parameters.add(attempted)
      let rows = try connection.run(joiningAgain, parameters)
      // Else others have found that it had run out.
      if rows.count == 1 { return newcomer.node(attempted) }
    }
    try connection.run("BEGIN")
    let rows = try connection.run(joining, parameters)
    guard rows.count == 1 else { throw .damaged("a node was given no number") }
    let node = newcomer.node(rows.integer(0, 0))
    tell(node.number)
    try connection.run(Creations.committing)
    return node
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
    VALUES ($2, $3, clock_timestamp() + $4 * interval '1 second') RETURNING number
    """
  )

  private static let joiningAgain = Statement(
    "join_again",
    """
    \(before)
    INSERT INTO node (number, name, address, expires) OVERRIDING SYSTEM VALUE
    VALUES ($5, $2, $3, clock_timestamp() + $4 * interval '1 second')
    ON CONFLICT (number) DO UPDATE SET expires = clock_timestamp() + $4 * interval '1 second'
    WHERE node.gone IS NULL RETURNING number
    """
  )
}
