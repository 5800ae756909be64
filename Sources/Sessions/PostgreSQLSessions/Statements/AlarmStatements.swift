import FusionSessions

/// The statements on the table `alarm`.
enum AlarmStatements {
  /// The number of alarms in one answer to ``due(by:after:for:in:)``.
  private static let step = 256

  /// Reads a session's alarms, in order.
  static func read(
    of id: SessionID,
    in connection: Connection
  ) throws(PostgreSQLError) -> [StoredAlarm] {
    let rows = try connection.run(reading, Parameters(id))
    return rows.indices.map { row in
      StoredAlarm(rows.bytes(row, 0), at: rows.time(row, 1), rows.bytes(row, 2))
    }
  }

  /// Finds the next alarms that are due by a time, of a node's sessions and of those without a living owner.
  static func due(
    by time: WallTime,
    after last: DueAlarms.Item?,
    for node: Int64,
    in connection: Connection
  ) throws(PostgreSQLError) -> DueAlarms {
    let parameters = Parameters(
      time,
      last?.time ?? WallTime(milliseconds: -1),
      last?.session ?? SessionID(high: 0, low: 0),
      last?.name ?? [],
      node
    )
    let rows = try connection.run(finding, parameters)
    let alarms = try rows.indices.map { (row) throws(PostgreSQLError) in
      DueAlarms.Item(
        try rows.id(row, 0),
        viewModel: rows.text(row, 1),
        rows.bytes(row, 2),
        at: rows.time(row, 3)
      )
    }
    return DueAlarms(alarms, limit: step)
  }

  /// Adds a session's alarms; a session without an owner does not expire from then on.
  static func add(
    _ alarms: [StoredAlarm],
    to id: SessionID,
    in connection: Connection
  ) throws(PostgreSQLError) {
    guard !alarms.isEmpty else { return }
    var parameters = Parameters(id)
    parameters.addEach(alarms) { $0.name }
    parameters.addEach(alarms) { $0.time }
    parameters.addEach(alarms) { $0.action }
    try connection.run(adding, parameters)
  }

  /// Returns the SQL of the time since when a session without an owner is idle; `infinity` while it has alarms.
  ///
  /// Records in the form of alarms do not count: see ``StoredAlarm/isRecord``.
  static func released(_ time: String) -> String {
    """
    CASE WHEN EXISTS (SELECT FROM alarm WHERE session = s.id AND name <> '\\xfe') THEN 'infinity'
    ELSE \(time) END
    """
  }

  // MARK: Changes by appends

  static func add(_ appends: [StoreChange.Append], to parameters: inout Parameters) {
    let changes = appends.flatMap { append in
      append.alarms.map { (session: append.session, name: $0.key, alarm: $0.value) }
    }
    parameters.addEach(changes) { $0.session }
    parameters.addEach(changes) { $0.name }
    parameters.addEach(changes) { $0.alarm?.time }
    parameters.addEach(changes) { $0.alarm?.action }
  }

  /// Returns the SQL that changes alarms of the sessions in `moved`, given the number of the first parameter.
  static func changing(from first: Int) -> String {
    """
    , changed AS MATERIALIZED (
      SELECT w.* FROM unnest($\(first)::bytea[], $\(first + 1)::bytea[], $\(first + 2)::timestamptz[],
        $\(first + 3)::bytea[]) AS w (session, name, time, action) JOIN moved m ON m.id = w.session
    ), unset AS (
      DELETE FROM alarm a USING changed c
      WHERE a.session = c.session AND a.name = c.name AND c.time IS NULL
    ), set AS (
      INSERT INTO alarm (session, name, time, action)
      SELECT session, name, time, action FROM changed WHERE time IS NOT NULL
      ON CONFLICT (session, name) DO UPDATE SET time = excluded.time, action = excluded.action
    )
    """
  }

  private static let reading = Statement(
    "alarms",
    "SELECT name, time, action FROM alarm WHERE session = $1 ORDER BY time, name"
  )

  private static let finding = Statement(
    "due_alarms",
    """
    SELECT a.session, s.view_model, a.name, a.time FROM alarm a JOIN session s ON s.id = a.session
    WHERE a.time <= $1 AND (a.time, a.session, a.name) > ($2, $3, $4) AND NOT EXISTS (
      SELECT FROM node WHERE number = s.owner AND number <> $5 AND gone IS NULL
      AND expires > clock_timestamp()
    )
    ORDER BY a.time, a.session, a.name LIMIT \(step)
    """
  )

  private static let adding = Statement(
    "add_alarms",
    """
    WITH freed AS (UPDATE session SET released = 'infinity' WHERE id = $1 AND owner IS NULL)
    INSERT INTO alarm (session, name, time, action)
    SELECT $1, w.* FROM unnest($2::bytea[], $3::timestamptz[], $4::bytea[]) AS w
    """
  )
}
