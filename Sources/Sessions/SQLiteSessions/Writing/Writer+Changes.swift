import FusionSessions

extension Writer {
  /// Executes a change; one that is refused has executed nothing.
  func apply(
    _ change: StoreChange,
    _ positions: inout LogIndex
  ) throws(DatabaseError) -> StoreError? {
    switch change {
    case .create(let session): return try create(session, &positions)
    case .append(let append): return try self.append(append, &positions)
    case .use(let times): for (id, time) in times { try use(id, time) }
    case .end(let ids, let end, let time):
      for id in ids { try self.end(id, end, time, &positions) }
    case .forget(let time):
      try database.run("DELETE FROM ended WHERE time < ?", .integer(time.milliseconds))
    case .probe:
      // The new row needs room before the old one's becomes free.
      try database.run("INSERT INTO probe (padding) VALUES (zeroblob(32768))")
      try database.run("DELETE FROM probe WHERE number < (SELECT max(number) FROM probe)")
    }
    return nil
  }

  private func create(
    _ session: StoredSession,
    _ positions: inout LogIndex
  ) throws(DatabaseError) -> StoreError? {
    let id = session.id.bytes
    guard try database.integer("SELECT number FROM session WHERE id = ?", .blob(id)) == nil else {
      return .conflict
    }
    let number = positions.nextSession()
    try database.run("DELETE FROM ended WHERE id = ?", .blob(id))
    try database.run(
      """
      INSERT INTO session (number, id, view_model, created, used, born, parameters)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      .integer(number),
      .blob(id),
      .text(session.viewModel),
      .integer(session.created.milliseconds),
      .integer(session.used.milliseconds),
      .integer(positions.last),
      .blob(session.parameters)
    )
    let head = session.head
    try database.run(
      "INSERT INTO head (session, sequence, version, format, running, state) VALUES (?, ?, ?, ?, ?, ?)",
      .integer(number),
      .integer(head.sequence),
      .integer(head.version),
      .integer(head.format),
      .blob(NameList.bytes(head.running)),
      .blob(head.state)
    )
    let inEntries = Set(session.entries.compactMap(\.key?.key))
    let keys = session.keys.filter { !inEntries.contains($0.key) }
    for (place, key) in keys.enumerated() {
      let sequence = head.sequence - keys.count + 1 + place
      try KeyRows.insert(key, of: number, sequence: sequence, in: database)
    }
    _ = positions.takeTail(session.id)
    guard !session.entries.isEmpty else { return nil }
    return try append(.init(session.id, after: head.sequence, session.entries), &positions)
  }

  private func append(
    _ append: StoreChange.Append,
    _ positions: inout LogIndex
  ) throws(DatabaseError) -> StoreError? {
    guard var tail = try takeTail(append.session, &positions) else { return .conflict }
    defer { if !tail.positions.isEmpty { positions.tails[append.session] = tail } }
    guard tail.sequence == append.after else { return .conflict }
    for entry in append.entries {
      let position = positions.nextPosition()
      try EntryRows.insert(entry, of: tail.session, at: position, in: database)
      positions.growth += entry.diskSize
      let time = max(tail.time, entry.time.milliseconds)
      tail.append(at: position, time: time, hasKey: entry.key != nil)
    }
    guard let head = append.head else { return nil }
    try database.run(
      """
      UPDATE head SET sequence = ?2, version = ?3, format = ?4, running = ?5, state = ?6
      WHERE session = ?1
      """,
      .integer(tail.session),
      .integer(head.sequence),
      .integer(head.version),
      .integer(head.format),
      .blob(NameList.bytes(head.running)),
      .blob(head.state)
    )
    try database.run(
      "UPDATE session SET used = max(used, ?2) WHERE number = ?1",
      .integer(tail.session),
      .integer(tail.time)
    )
    let (covered, keyed) = tail.cover(upTo: head.sequence)
    if !keyed.isEmpty {
      let now = WallTime(milliseconds: tail.time)
      try KeyRows.keep(keyed, of: tail.session, now: now, in: database)
    }
    // Trimming has passed these, and would not come back for them.
    for position in covered where position <= positions.trimmed {
      positions.growth -= try size(in: position - 1, position)
      try database.run("DELETE FROM log WHERE position = ?", .integer(position))
    }
    return nil
  }

  /// Takes a session's tail out, so that it is changed in place; nil where there is no session.
  private func takeTail(
    _ id: SessionID,
    _ positions: inout LogIndex
  ) throws(DatabaseError) -> UncoveredEntries? {
    if let tail = positions.takeTail(id) { return tail }
    let rows = try database.rows(
      """
      SELECT number, head.sequence, used FROM session JOIN head ON head.session = number
      WHERE id = ?
      """,
      .blob(id.bytes)
    )
    guard let row = try rows.next() else { return nil }
    return UncoveredEntries(of: row.integer(0), after: row.int(1), at: row.integer(2))
  }

  private func use(_ id: SessionID, _ time: WallTime) throws(DatabaseError) {
    try database.run(
      "UPDATE session SET used = max(used, ?2) WHERE id = ?1",
      .blob(id.bytes),
      .integer(time.milliseconds)
    )
  }

  private func end(
    _ id: SessionID,
    _ end: SessionEnd,
    _ time: WallTime,
    _ positions: inout LogIndex
  ) throws(DatabaseError) {
    let bytes = id.bytes
    guard
      let number = try database.integer("SELECT number FROM session WHERE id = ?", .blob(bytes))
    else { return }
    _ = positions.takeTail(id)
    let session = Database.Value.integer(number)
    try database.run(
      """
      INSERT INTO leftover (session, first, last) SELECT number, born, ?2 FROM session
      WHERE number = ?1
      """,
      session,
      .integer(positions.last)
    )
    try database.run("DELETE FROM key WHERE session = ?", session)
    try database.run("DELETE FROM head WHERE session = ?", session)
    try database.run("DELETE FROM session WHERE number = ?", session)
    try database.run(
      "INSERT OR REPLACE INTO ended (id, reason, time) VALUES (?, ?, ?)",
      .blob(bytes),
      .text(end.rawValue),
      .integer(time.milliseconds)
    )
    mayHaveLeftovers = true
    mayShrink = true
  }
}
