import FusionSessions

extension Writer {
  /// How many sessions one step looks at: commits wait for it.
  private static let interruptedStep = 64

  /// Looks at sessions beyond a number; many of them may have been at rest.
  func interrupted(after number: Int64) throws(DatabaseError) -> InterruptedSessions {
    let positions = try current()
    self.positions = positions
    var found = InterruptedSessions()
    var count = 0
    let rows = try database.rows(
      """
      SELECT number, id, view_model, length(running) > 0
      FROM session CROSS JOIN head ON head.session = number WHERE number > ? ORDER BY number LIMIT ?
      """,
      .integer(number),
      .integer(Self.interruptedStep)
    )
    while let row = try rows.next() {
      count += 1
      if count == Self.interruptedStep { found.next = row.integer(0) }
      let id = try SessionID(bytes: row.bytes(1))
      let newest = positions.tails[id]?.positions.last
      guard try newest.map(wasRunning) ?? (row.int(3) != 0) else { continue }
      found.sessions.append(InterruptedSessions.Item(id, viewModel: row.text(2)))
    }
    return found
  }

  /// Whether the entry at a position says that something was running.
  private func wasRunning(at position: Int64) throws(DatabaseError) -> Bool {
    try database.integer(
      "SELECT length(running) > 0 FROM log WHERE position = ?",
      .integer(position)
    )
      == 1
  }
}
