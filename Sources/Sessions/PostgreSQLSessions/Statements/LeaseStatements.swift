import FusionSessions

/// Who shares the database.
///
/// All times are the database's.
enum Leases {
  /// Selects a row where a node's lease has not run out.
  static func living(_ number: String) -> String {
    "SELECT 1 FROM node WHERE number = \(number) AND gone IS NULL AND expires > clock_timestamp()"
  }

  /// False where it has run out.
  static func renew(
    _ lease: LeaseID,
    for time: Duration,
    in connection: Connection
  ) throws(PostgreSQLError) -> Bool {
    var parameters = Parameters()
    parameters.add(lease.number)
    parameters.add(lease.begun)
    parameters.add(time)
    return try connection.run(renewing, parameters).count == 1
  }

  static func leave(_ lease: LeaseID, in connection: Connection) throws(PostgreSQLError) {
    var parameters = Parameters()
    parameters.add(lease.number)
    parameters.add(lease.begun)
    try connection.run(leaving, parameters)
  }

  static func nodes(in connection: Connection) throws(PostgreSQLError) -> [NodeStatus] {
    let rows = try connection.run(listing)
    return rows.indices.map { row in
      NodeStatus(
        Node(rows.integer(row, 0), name: rows.text(row, 1), address: rows.text(row, 2)),
        joined: rows.time(row, 3),
        leaseLeft: .milliseconds(rows.integer(row, 4)),
        sessions: rows.int(row, 5),
        rows.isNull(row, 6) ? .current : rows.bool(row, 6) ? .left : .over
      )
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

  // That both are one time tells it from a lease that has run out.
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
    FROM node WHERE gone IS NULL OR gone > clock_timestamp() - \(Orphans.memory) ORDER BY number
    """
  )
}
