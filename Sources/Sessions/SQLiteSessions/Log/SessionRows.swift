import FusionSessions

/// What stands of a session beside the log.
enum SessionRows {
  /// Reads a session; `entries` gives those beyond its head, by the session's number and that of
  /// the head.
  static func read(
    _ id: SessionID,
    in database: Database,
    entries: (Int64, Int) throws(DatabaseError) -> [LogEntry]
  ) throws(DatabaseError) -> StoredSession? {
    let rows = try database.rows(
      """
      SELECT session.number, view_model, parameters, created, used,
        head.sequence, head.version, head.format, head.running, head.state
      FROM session JOIN head ON head.session = session.number WHERE session.id = ?
      """,
      .blob(id.bytes)
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
    let used = WallTime(milliseconds: row.integer(4))
    var session = StoredSession(
      id: id,
      viewModel: row.text(1),
      parameters: row.bytes(2),
      created: WallTime(milliseconds: row.integer(3)),
      used: entries.reduce(used) { max($0, $1.time) },
      head: head,
      entries: entries,
      keys: keys
    )
    session.dropOutdatedKeys()
    return session
  }

  /// Reads what there is, without the entries of the log.
  static func inventory(in database: Database) throws(DatabaseError) -> StoreInventory {
    var inventory = StoreInventory()
    let sessions = try database.rows("SELECT id, view_model, used FROM session")
    while let row = try sessions.next() {
      let used = WallTime(milliseconds: row.integer(2))
      let id = try SessionID(bytes: row.bytes(0))
      inventory.sessions.append(StoreInventory.Item(id, viewModel: row.text(1), used: used))
    }
    let ended = try database.rows("SELECT id, reason, time FROM ended")
    while let row = try ended.next() {
      guard let end = SessionEnd(rawValue: row.text(1)) else {
        throw .damaged("a session ended for the reason \(row.text(1))")
      }
      let time = WallTime(milliseconds: row.integer(2))
      inventory.ended.append(
        StoreInventory.Ended(try SessionID(bytes: row.bytes(0)), end, at: time)
      )
    }
    return inventory
  }
}

extension Writer {
  func inventory() throws(DatabaseError) -> StoreInventory {
    let tails = try current().tails
    var inventory = try SessionRows.inventory(in: database)
    inventory.secret = try Schema.secret(in: database)
    for place in inventory.sessions.indices {
      guard let tail = tails[inventory.sessions[place].id] else { continue }
      let time = WallTime(milliseconds: tail.time)
      inventory.sessions[place].used = max(inventory.sessions[place].used, time)
    }
    return inventory
  }

  func load(_ id: SessionID) throws(DatabaseError) -> StoredSession? {
    let positions = try current()
    self.positions = positions
    return try SessionRows.read(id, in: database) { (_, _) throws(DatabaseError) in
      var entries: [LogEntry] = []
      for position in positions.tails[id]?.positions ?? [] {
        entries.append(try EntryRows.read(at: position, in: database))
      }
      return entries
    }
  }
}
