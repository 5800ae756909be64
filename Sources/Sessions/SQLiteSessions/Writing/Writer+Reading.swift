import FusionSessions

extension Writer {
  /// The number of sessions that one step of ``interrupted(after:)`` looks at, while commits wait.
  private static let interruptedStep = 64

  func inventory() throws(DatabaseError) -> StoreInventory {
    let uncovered = try currentIndex().uncovered
    var inventory = try SessionRows.inventory(in: database)
    inventory.secret = try Schema.secret(in: database)
    for place in inventory.sessions.indices {
      guard let entries = uncovered[inventory.sessions[place].id] else { continue }
      let time = WallTime(milliseconds: entries.time)
      inventory.sessions[place].used = max(inventory.sessions[place].used, time)
    }
    return inventory
  }

  func load(_ id: SessionID) throws(DatabaseError) -> StoredSession? {
    let index = try currentIndex()
    self.index = index
    return try SessionRows.read(id, in: database) { (_, _) throws(DatabaseError) in
      var entries: [LogEntry] = []
      for position in index.uncovered[id]?.positions ?? [] {
        entries.append(try EntryRows.read(at: position, in: database))
      }
      return entries
    }
  }

  func alarms(
    dueBy time: WallTime,
    after last: DueAlarms.Item?
  ) throws(DatabaseError) -> DueAlarms {
    guard hasAlarms else { return DueAlarms() }
    return try AlarmRows.due(by: time, after: last, in: database)
  }

  /// Finds the interrupted ones among the next sessions after a number; there may be none.
  func interrupted(after number: Int64) throws(DatabaseError) -> InterruptedSessions {
    let index = try currentIndex()
    self.index = index
    var found = InterruptedSessions()
    var count = 0
    let rows = try database.rows(
      """
      SELECT number, id, view_model, length(running) > 0
      FROM session CROSS JOIN head ON head.session = number WHERE number > \(number)
      ORDER BY number LIMIT \(Self.interruptedStep)
      """
    )
    while let row = try rows.next() {
      count += 1
      if count == Self.interruptedStep { found.next = row.integer(0) }
      let id = try row.id(1)
      let newest = index.uncovered[id]?.positions.last
      guard try newest.map(wasRunning) ?? (row.int(3) != 0) else { continue }
      found.sessions.append(InterruptedSessions.Item(id, viewModel: row.text(2)))
    }
    return found
  }

  /// Returns whether the entry at a position names something that was running.
  private func wasRunning(at position: Int64) throws(DatabaseError) -> Bool {
    try database.integer("SELECT length(running) > 0 FROM log WHERE position = \(position)")
      == 1
  }
}
