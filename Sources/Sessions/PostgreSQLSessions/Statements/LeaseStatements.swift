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
