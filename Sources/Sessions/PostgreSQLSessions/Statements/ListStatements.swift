import FusionSessions

/// The statements that list sessions and their owners.
enum ListStatements {
  static func summaries(in connection: Connection) throws(PostgreSQLError) -> [SessionSummary] {
    let rows = try connection.run(summaries)
    return try rows.indices.map { (row) throws(PostgreSQLError) in
      SessionSummary(
        id: try rows.id(row, 0),
        viewModel: rows.text(row, 1),
        version: rows.int(row, 2),
        created: rows.time(row, 3),
        used: rows.time(row, 4),
        stateSize: rows.int(row, 5),
        entries: rows.int(row, 6),
        logSize: rows.int(row, 7),
        oldest: rows.isNull(row, 8) ? nil : rows.time(row, 8),
        node: rows.node(row, from: 9),
        identity: rows.optionalText(row, 12),
        name: rows.optionalText(row, 13),
        setAside: rows.isNull(row, 14) ? nil : rows.time(row, 14)
      )
    }
  }

  /// Returns the node that owns a session; nil if none does.
  static func owner(of id: SessionID, in connection: Connection) throws(PostgreSQLError) -> Node? {
    let rows = try connection.run(owner, Parameters(id))
    return rows.count == 0 ? nil : rows.node(0, from: 0)
  }

  static func contains(_ id: SessionID, in connection: Connection) throws(PostgreSQLError) -> Bool {
    try connection.run(stored, Parameters(id)).count > 0
  }

  /// Returns all ids in the order of the sessions' creation.
  static func ids(in connection: Connection) throws(PostgreSQLError) -> [SessionID] {
    let rows = try connection.run(ids)
    return try rows.indices.map { (row) throws(PostgreSQLError) in try rows.id(row, 0) }
  }

  static func count(in connection: Connection) throws(PostgreSQLError) -> Int {
    try connection.run(count).int(0, 0)
  }

  /// Counts the sessions without an owner; a dead node owns its sessions until it is found to be dead.
  static func unowned(in connection: Connection) throws(PostgreSQLError) -> Int {
    try connection.run(unowned).int(0, 0)
  }

  private static let owner = Statement(
    "owner",
    """
    SELECT number, name, address FROM session JOIN node ON number = owner AND gone IS NULL
    WHERE id = $1
    """
  )

  private static let stored = Statement("stored", "SELECT 1 FROM session WHERE id = $1")

  private static let ids = Statement(
    "ids",
    "SELECT session FROM head ORDER BY created, session"
  )

  private static let count = Statement("count", "SELECT count(*) FROM head")

  private static let unowned = Statement(
    "unowned",
    """
    SELECT count(*) FROM session WHERE owner IS NULL
    OR NOT EXISTS (SELECT FROM node WHERE number = owner AND gone IS NULL)
    """
  )

  private static let summaries = Statement(
    "summaries",
    """
    SELECT id, view_model, greatest(h.version, log.version), created, used, octet_length(state),
      log.entries, log.size, log.oldest, n.number, n.name, n.address, identity, session_name,
      (SELECT time FROM crash WHERE session = id AND repeated)
    FROM session LEFT JOIN node n ON n.number = owner AND n.gone IS NULL
    JOIN head h ON h.session = id CROSS JOIN LATERAL (
      SELECT coalesce(sum(entries), 0) AS entries, max(version) AS version,
        coalesce(sum(octet_length(body)), 0) AS size,
        -- A body begins with the time of its first entry.
        (SELECT substr(body, 1, 8) FROM entry WHERE session = id ORDER BY sequence LIMIT 1) AS oldest
      FROM entry WHERE session = id
    ) log ORDER BY created, id
    """
  )
}
