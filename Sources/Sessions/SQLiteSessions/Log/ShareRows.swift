import FusionSessions

/// Shares as rows of the table `share`.
enum ShareRows {
  static func find(
    _ query: ShareQuery,
    in database: Database
  ) throws(DatabaseError) -> [StoredShare] {
    let found: [StoredShare?]
    switch query {
    case .session(let id):
      found = try database.all(
        """
        SELECT id, session, role, created, expires FROM share WHERE session = \(id)
        ORDER BY created, id
        """,
        share
      )
    case .ids(let ids):
      // One statement, with the same text for any number of ids.
      let all = ids.flatMap { id -> [UInt8] in
        if case .blob(let bytes) = id.bits.sqlValue { bytes } else { [] }
      }
      found = try database.all(
        SQL(
          """
          WITH RECURSIVE asked (at) AS (
            SELECT 1 UNION ALL SELECT at + 16 FROM asked WHERE at + 16 < length(?1)
          )
          SELECT id, session, role, created, expires FROM asked
          CROSS JOIN share ON id = substr(?1, at, 16)
          """,
          [.blob(all)]
        ),
        share
      )
    }
    return found.compactMap(\.self)
  }

  /// Adds a share, and removes the session's expired ones; returns false if the session has ended or has too many
  /// shares.
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

  /// Returns nil for a share whose role this build does not know: it grants nothing, and the other shares stay valid.
  private static func share(_ row: Row) throws(DatabaseError) -> StoredShare? {
    guard let role = ShareRole(number: row.int(2)) else { return nil }
    return StoredShare(
      ShareID(try row.id(0)),
      of: try row.id(1),
      as: role,
      created: row.time(3),
      expires: row.isNull(4) ? nil : row.time(4)
    )
  }
}
