import FusionSessions

/// The statements on the table `node`, a row for each lease; all times are the database's.
enum LeaseStatements {
  /// Returns the SQL that selects a row if a node's lease has not expired.
  static func living(_ number: String) -> String {
    "SELECT 1 FROM node WHERE number = \(number) AND gone IS NULL AND expires > clock_timestamp()"
  }

  /// Renews a lease; returns false if it has expired.
  static func renew(
    _ lease: LeaseID,
    for time: Duration,
    in connection: Connection
  ) throws(PostgreSQLError) -> Bool {
    try connection.run(renewing, Parameters(lease.number, lease.begun, time)).count == 1
  }

  static func leave(_ lease: LeaseID, in connection: Connection) throws(PostgreSQLError) {
    try connection.run(leaving, Parameters(lease.number, lease.begun))
  }

  static func nodes(in connection: Connection) throws(PostgreSQLError) -> [NodeStatus] {
    let rows = try connection.run(listing)
    return rows.indices.compactMap { row in
      rows.node(row, from: 0).map { node in
        NodeStatus(
          node,
          joined: rows.time(row, 3),
          leaseLeft: .milliseconds(rows.integer(row, 4)),
          sessions: rows.int(row, 5),
          rows.isNull(row, 6) ? .current : rows.bool(row, 6) ? .left : .over
        )
      }
    }
  }

  private static let renewing = Statement(
    "renew",
    awaitsStandby: true,
    """
    UPDATE node SET expires = clock_timestamp() + $3 * interval '1 second'
    WHERE number = $1 AND \(LeaseID.begun) = $2 AND gone IS NULL AND expires > clock_timestamp() RETURNING number
    """
  )

  // Equal times tell a lease that was given up from one that expired.
  private static let leaving = Statement(
    "leave",
    """
    UPDATE node SET (gone, expires) = (SELECT t, least(expires, t) FROM clock_timestamp() t)
    WHERE number = $1 AND \(LeaseID.begun) = $2 AND gone IS NULL
    """
  )

  private static let listing = Statement(
    "nodes",
    """
    SELECT number, name, address, joined,
      (extract(epoch FROM expires - clock_timestamp()) * 1000)::bigint,
      (SELECT count(*) FROM session WHERE owner = number AND gone IS NULL), gone = expires
    FROM node WHERE gone IS NULL OR gone > clock_timestamp() - \(OrphanedSessions.memory) ORDER BY number
    """
  )

  // MARK: Living nodes

  /// Lists the nodes whose leases have not expired, without the numbers of their sessions.
  static func livingNodes(in connection: Connection) throws(PostgreSQLError) -> [Node] {
    let rows = try connection.run(listingLiving)
    return rows.indices.compactMap { rows.node($0, from: 0) }
  }

  private static let listingLiving = Statement(
    "living",
    """
    SELECT number, name, address FROM node
    WHERE gone IS NULL AND expires > clock_timestamp() ORDER BY number
    """
  )
}

/// The identity of a lease.
///
/// The number alone is not unique: after a failover or a restore a server may assign a used number again.
struct LeaseID: Equatable {
  var number: Int64
  /// The beginning of the lease, in microseconds by the server's clock.
  var begun: Int64

  /// The SQL of `begun` for a row of `node`.
  static let begun = "(extract(epoch FROM node.joined) * 1000000)::bigint"
}

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
