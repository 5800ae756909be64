import FusionSessions

/// The statements on the table `share`.
enum ShareStatements {
  static func find(
    _ query: ShareQuery,
    in connection: Connection
  ) throws(PostgreSQLError) -> [StoredShare] {
    let rows: Rows
    switch query {
    case .session(let id): rows = try connection.run(listing, Parameters(id))
    case .ids(let ids):
      var parameters = Parameters()
      parameters.addEach(ids) { $0.bits }
      rows = try connection.run(finding, parameters)
    }
    let found = try rows.indices.map { (row) throws(PostgreSQLError) -> StoredShare? in
      // A share whose role this build does not know grants nothing; the other shares stay valid.
      guard let role = ShareRole(number: rows.int(row, 2)) else { return nil }
      return StoredShare(
        ShareID(try rows.id(row, 0)),
        of: try rows.id(row, 1),
        as: role,
        created: rows.time(row, 3),
        expires: rows.isNull(row, 4) ? nil : rows.time(row, 4)
      )
    }
    return found.compactMap(\.self)
  }

  /// Adds a share, and removes the session's expired ones; returns false if the session has ended or has too many
  /// shares.
  static func add(
    _ share: StoredShare,
    in connection: Connection
  ) throws(PostgreSQLError) -> Bool {
    var parameters = Parameters(share.id.bits, share.session, share.role.number, share.created)
    parameters.addEach([share]) { $0.expires }
    parameters.add(StoredShare.limit)
    return try connection.run(adding, parameters).count == 1
  }

  static func revoke(_ id: ShareID, in connection: Connection) throws(PostgreSQLError) {
    try connection.run(revoking, Parameters(id.bits))
  }

  private static let listing = Statement(
    "list_shares",
    """
    SELECT id, session, role, created, expires FROM share WHERE session = $1 ORDER BY created, id
    """
  )

  private static let finding = Statement(
    "find_shares",
    "SELECT id, session, role, created, expires FROM share WHERE id = ANY ($1)"
  )

  // Locks the session: it can neither end nor get another share meanwhile. The snapshot still has the expired shares.
  private static let adding = Statement(
    "share",
    awaitsStandby: true,
    """
    WITH gone AS (DELETE FROM share WHERE session = $2 AND expires <= $4),
    shared AS MATERIALIZED (SELECT id FROM session WHERE id = $2 FOR NO KEY UPDATE)
    INSERT INTO share (id, session, role, created, expires)
    SELECT $1, id, $3::bigint, $4, ($5::timestamptz[])[1] FROM shared
    WHERE (
      SELECT count(*) FROM share WHERE session = $2 AND coalesce(expires > $4, TRUE)
    ) < $6
    RETURNING id
    """
  )

  private static let revoking = Statement(
    "revoke",
    awaitsStandby: true,
    "DELETE FROM share WHERE id = $1"
  )
}
