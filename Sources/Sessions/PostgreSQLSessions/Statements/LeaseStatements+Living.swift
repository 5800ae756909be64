import FusionSessions

extension Leases {
  /// Whose leases have not run out; unlike ``nodes(in:)`` it counts no sessions.
  static func living(in connection: Connection) throws(PostgreSQLError) -> [Node] {
    let rows = try connection.run(listingLiving)
    return rows.indices.map { row in
      Node(rows.integer(row, 0), name: rows.text(row, 1), address: rows.text(row, 2))
    }
  }

  private static let listingLiving = Statement(
    "living",
    """
    SELECT number, name, address FROM node
    WHERE gone IS NULL AND expires > clock_timestamp() ORDER BY number
    """
  )
}
