import FusionSessions

/// Alarms as rows of the table `alarm`.
enum AlarmRows {
  /// The number of alarms in one answer to ``due(by:after:in:)``.
  private static let step = 256

  /// Reads a session's alarms, in order.
  static func read(of id: SessionID, in database: Database) throws(DatabaseError) -> [StoredAlarm] {
    try database.all(
      "SELECT name, time, action FROM alarm WHERE session = \(id) ORDER BY time, name"
    ) { StoredAlarm($0.bytes(0), at: $0.time(1), $0.bytes(2)) }
  }

  /// Sets an alarm; nil removes it.
  static func set(
    _ alarm: StoredAlarm?,
    _ name: [UInt8],
    of id: SessionID,
    in database: Database
  ) throws(DatabaseError) {
    guard let alarm else {
      return try database.run("DELETE FROM alarm WHERE session = \(id) AND name = \(name)")
    }
    try database.run(
      """
      INSERT OR REPLACE INTO alarm (session, name, time, action)
      VALUES (\(id), \(name), \(alarm.time), \(alarm.action))
      """
    )
  }

  /// Finds the next alarms that are due by a time.
  static func due(
    by time: WallTime,
    after last: DueAlarms.Item?,
    in database: Database
  ) throws(DatabaseError) -> DueAlarms {
    let session = (last?.session ?? SessionID(high: 0, low: 0)).sqlValue
    let values: [SQL.Value] = [
      time.sqlValue, last?.time.sqlValue ?? .integer(Int64.min), session,
      .blob(last?.name ?? []), .integer(step),
    ]
    let alarms = try database.all(SQL(finding, values)) { (row) throws(DatabaseError) in
      DueAlarms.Item(try row.id(0), viewModel: row.text(1), row.bytes(2), at: row.time(3))
    }
    return DueAlarms(alarms, limit: step)
  }

  private static let finding = """
    SELECT alarm.session, view_model, alarm.name, time
    FROM alarm INDEXED BY alarm_time CROSS JOIN session ON session.id = alarm.session
    WHERE time <= ? AND (time, alarm.session, alarm.name) > (?, ?, ?)
    ORDER BY time, alarm.session, alarm.name LIMIT ?
    """
}
