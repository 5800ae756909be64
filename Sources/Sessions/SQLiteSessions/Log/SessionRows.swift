import FusionSessions

/// Sessions as rows of the tables `session`, `head` and `ended`.
enum SessionRows {
  /// Reads a session; nil if there is none.
  ///
  /// `entries` returns the entries beyond the head, given the session's number and the head's sequence.
  static func read(
    _ id: SessionID,
    in database: Database,
    entries: (Int64, Int) throws(DatabaseError) -> [LogEntry]
  ) throws(DatabaseError) -> StoredSession? {
    let rows = try database.rows(
      """
      SELECT session.number, view_model, parameters, created, used,
        head.sequence, head.version, head.format, head.running, head.state, identity, name,
        creator
      FROM session JOIN head ON head.session = session.number WHERE session.id = \(id)
      """
    )
    guard let row = try rows.next() else { return nil }
    let head = StoredHead(
      sequence: row.int(5),
      version: row.int(6),
      format: row.int(7),
      state: row.bytes(9),
      running: try row.names(8)
    )
    let number = row.integer(0)
    let entries = try entries(number, head.sequence)
    let keys = try KeyRows.read(of: number, in: database) + entries.compactMap(\.key)
    var session = StoredSession(
      id: id,
      viewModel: row.text(1),
      parameters: row.bytes(2),
      identity: row.optionalText(10),
      creator: row.optionalText(12),
      name: row.optionalText(11),
      created: row.time(3),
      used: entries.reduce(row.time(4)) { max($0, $1.time) },
      head: head,
      entries: entries,
      keys: keys,
      alarms: try AlarmRows.read(of: id, in: database),
      crashes: try CrashRows.read(of: id, in: database)
    )
    session.dropOutdatedKeys()
    return session
  }

  /// Finds the session with a name; nil if there is none.
  static func find(_ name: SessionName, in database: Database) throws(DatabaseError) -> SessionID? {
    try database.first(
      """
      SELECT id FROM session WHERE view_model = \(name.viewModel)
      AND ifnull(identity, '') = \(name.identity ?? "") AND name = \(name.text)
      """
    ) { (row) throws(DatabaseError) in try row.id(0) }
  }

  /// Lists all sessions and ended ones, without regard to the log.
  static func inventory(in database: Database) throws(DatabaseError) -> StoreInventory {
    var inventory = StoreInventory()
    inventory.sessions = try database.all(
      "SELECT id, view_model, used, identity, creator FROM session"
    ) {
      (row) throws(DatabaseError) in
      let origin = SessionOrigin(
        identity: row.optionalText(3),
        creator: row.optionalText(4),
        viewModel: row.text(1)
      )
      return StoreInventory.Item(try row.id(0), origin, used: row.time(2))
    }
    inventory.ended = try database.all("SELECT id, reason, time FROM ended") {
      (row) throws(DatabaseError) in
      guard let end = SessionEnd(rawValue: row.text(1)) else {
        throw .damaged("a session ended for the reason \(row.text(1))")
      }
      return .init(try row.id(0), end, at: row.time(2))
    }
    return inventory
  }
}
