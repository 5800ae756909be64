import FusionSessions

extension Writer {
  /// Executes a change; returns the error of one that is refused, which has executed nothing.
  func apply(
    _ change: StoreChange,
    _ index: inout LogIndex
  ) throws(DatabaseError) -> StoreError? {
    switch change {
    case .create(let session): return try create(session, &index)
    case .append(let append): return try self.append(append, &index)
    case .use(let times): for (id, time) in times { try use(id, time) }
    case .end(let ids, let end, let time):
      for id in ids { try self.end(id, end, time, &index) }
    case .share(let share): return try ShareRows.add(share, in: database) ? nil : .conflict
    case .revoke(let id, _): try database.run("DELETE FROM share WHERE id = \(id.bits)")
    case .crash(let crash): try CrashRows.add(crash, in: database)
    case .forget(let time):
      try database.run("DELETE FROM ended WHERE time < \(time)")
    case .probe:
      // Inserts before it deletes, so that the probe needs room.
      try database.run("INSERT INTO probe (padding) VALUES (zeroblob(32768))")
      try database.run("DELETE FROM probe WHERE number < (SELECT max(number) FROM probe)")
    }
    return nil
  }

  private func create(
    _ session: StoredSession,
    _ index: inout LogIndex
  ) throws(DatabaseError) -> StoreError? {
    let id = session.id
    if let name = session.sessionName, let other = try SessionRows.find(name, in: database),
      other != id
    {
      return .taken(by: other)
    }
    guard try database.integer("SELECT number FROM session WHERE id = \(id)") == nil else {
      return .conflict
    }
    let number = index.nextSession()
    try database.run("DELETE FROM ended WHERE id = \(id)")
    try database.run(
      """
      INSERT INTO session
        (number, id, view_model, created, used, born, identity, name, creator, parameters)
      VALUES (\(number), \(id), \(session.viewModel), \(session.created), \(session.used),
        \(index.last), \(nullable: session.identity), \(nullable: session.name),
        \(nullable: session.creator), \(session.parameters))
      """
    )
    let head = session.head
    try database.run(
      """
      INSERT INTO head (session, sequence, version, format, running, state)
      VALUES (\(number), \(head.sequence), \(head.version), \(head.format),
        \(NameList.bytes(head.running)), \(head.state))
      """
    )
    for (key, sequence) in session.coveredKeys {
      try KeyRows.insert(key, of: number, sequence: sequence, in: database)
    }
    if options.historyAge != nil, head.sequence == 0 {
      try insert(session.headEntry, of: number, &index)
    }
    for alarm in session.alarms { try set(alarm, alarm.name, of: id) }
    _ = index.take(session.id)
    guard !session.entries.isEmpty else { return nil }
    return try append(.init(session.id, after: head.sequence, session.entries), &index)
  }

  private func append(
    _ append: StoreChange.Append,
    _ index: inout LogIndex
  ) throws(DatabaseError) -> StoreError? {
    guard var tail = try takeEntries(of: append.session, &index) else { return .conflict }
    defer { if !tail.positions.isEmpty { index.uncovered[append.session] = tail } }
    guard tail.sequence == append.after else { return .conflict }
    for entry in append.entries {
      let position = try insert(entry, of: tail.session, &index)
      let time = max(tail.time, entry.time.milliseconds)
      tail.append(at: position, time: time, hasKey: entry.key != nil)
    }
    for (name, alarm) in append.alarms { try set(alarm, name, of: append.session) }
    guard let head = append.head else { return nil }
    try database.run(
      """
      UPDATE head SET sequence = \(head.sequence), version = \(head.version),
        format = \(head.format), running = \(NameList.bytes(head.running)), state = \(head.state)
      WHERE session = \(tail.session)
      """
    )
    try database.run(
      "UPDATE session SET used = max(used, \(tail.time)) WHERE number = \(tail.session)"
    )
    let (covered, keyed) = tail.cover(upTo: head.sequence)
    if !keyed.isEmpty {
      let now = WallTime(milliseconds: tail.time)
      try KeyRows.keep(keyed, of: tail.session, now: now, in: database)
    }
    // Trimming has passed these positions and does not return to them.
    for position in covered where position <= index.trimmed {
      index.growth -= try size(in: position - 1, position)
      try database.run("DELETE FROM log WHERE position = \(position)")
    }
    return nil
  }

  /// Inserts an entry at the end of the log; returns its position.
  @discardableResult
  private func insert(
    _ entry: LogEntry,
    of session: Int64,
    _ index: inout LogIndex
  ) throws(DatabaseError) -> Int64 {
    let position = index.nextPosition()
    try EntryRows.insert(entry, of: session, at: position, in: database)
    index.growth += entry.diskSize
    index.newestTime = max(index.newestTime, entry.time.milliseconds)
    return position
  }

  private func set(
    _ alarm: StoredAlarm?,
    _ name: [UInt8],
    of id: SessionID
  ) throws(DatabaseError) {
    hasAlarms = true
    try AlarmRows.set(alarm, name, of: id, in: database)
  }

  /// Takes a session's uncovered entries out of the index, to be changed in place; nil if there is no session.
  private func takeEntries(
    of id: SessionID,
    _ index: inout LogIndex
  ) throws(DatabaseError) -> UncoveredEntries? {
    if let entries = index.take(id) { return entries }
    return try database.first(
      """
      SELECT number, head.sequence, used FROM session JOIN head ON head.session = number
      WHERE id = \(id)
      """
    ) { UncoveredEntries(of: $0.integer(0), after: $0.int(1), at: $0.integer(2)) }
  }

  private func use(_ id: SessionID, _ time: WallTime) throws(DatabaseError) {
    try database.run("UPDATE session SET used = max(used, \(time)) WHERE id = \(id)")
  }

  private func end(
    _ id: SessionID,
    _ end: SessionEnd,
    _ time: WallTime,
    _ index: inout LogIndex
  ) throws(DatabaseError) {
    guard let number = try database.integer("SELECT number FROM session WHERE id = \(id)") else {
      return
    }
    _ = index.take(id)
    try database.run(
      """
      INSERT INTO leftover (session, first, last)
      SELECT number, born, \(index.last) FROM session WHERE number = \(number)
      """
    )
    try database.run("DELETE FROM key WHERE session = \(number)")
    if hasAlarms { try database.run("DELETE FROM alarm WHERE session = \(id)") }
    try database.run("DELETE FROM head WHERE session = \(number)")
    try database.run("DELETE FROM session WHERE number = \(number)")
    try database.run(
      "INSERT OR REPLACE INTO ended (id, reason, time) VALUES (\(id), \(end.rawValue), \(time))"
    )
    mayHaveLeftovers = true
    mayShrink = true
  }
}
