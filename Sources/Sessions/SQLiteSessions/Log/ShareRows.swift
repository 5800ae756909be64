import FusionSessions

/// Shares as rows of the table `share`.
enum ShareRows {
  static func find(
    _ query: ShareQuery,
    in database: Database
  ) throws(DatabaseError) -> [StoredShare] {
    switch query {
    case .session(let id):
      return try database.all(
        """
        SELECT id, session, role, created, expires FROM share WHERE session = \(id)
        ORDER BY created, id
        """,
        share
      )
    case .ids(let ids):
      var found: [StoredShare] = []
      for id in ids {
        found += try database.all(
          "SELECT id, session, role, created, expires FROM share WHERE id = \(id.bits)",
          share
        )
      }
      return found
    }
  }

  /// Adds a share in place of those of its session that have expired; returns false where the session is over or has
  /// too many.
  static func add(_ share: StoredShare, in database: Database) throws(DatabaseError) -> Bool {
    try database.run(
      "DELETE FROM share WHERE session = \(share.session) AND expires <= \(share.created)"
    )
    let room = try database.integer(
      """
      SELECT \(StoredShare.limit) - (SELECT count(*) FROM share s WHERE s.session = session.id)
      FROM session WHERE id = \(share.session)
      """
    )
    guard let room, room > 0 else { return false }
    let expires = share.expires?.sqlValue ?? .null
    let values = [
      share.id.bits.sqlValue, share.session.sqlValue, .integer(share.role.number),
      share.created.sqlValue, expires,
    ]
    try database.run(
      SQL("INSERT INTO share (id, session, role, created, expires) VALUES (?, ?, ?, ?, ?)", values)
    )
    return true
  }

  private static func share(_ row: Row) throws(DatabaseError) -> StoredShare {
    guard let role = ShareRole(number: row.int(2)) else {
      throw .damaged("a share has the role \(row.int(2))")
    }
    return StoredShare(
      ShareID(try row.id(0)),
      of: try row.id(1),
      as: role,
      created: row.time(3),
      expires: row.isNull(4) ? nil : row.time(4)
    )
  }
}
