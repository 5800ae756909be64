import FusionSessions

/// The statements that create sessions.
enum CreateStatements {
  /// The first epoch of a session, owned by the node that created it.
  static let epoch: Int64 = 1

  /// Commits the sessions whose ids and names are not taken, and returns the error of each.
  ///
  /// Ids must be distinct; a session with entries or keys must come alone. `keepsFirst` says whether the log keeps the
  /// States with which sessions begin.
  static func commit(
    _ sessions: [StoredSession],
    as node: Int64,
    keepsFirst: Bool = false,
    in connection: Connection
  ) throws(PostgreSQLError) -> [StoreError?] {
    let rest = sessions.filter(\.hasMore)
    let isSeveral = !rest.isEmpty || keepsFirst
    if isSeveral { try connection.run("BEGIN") }
    let results = try create(sessions, owned, node, in: connection)
    if keepsFirst {
      for (session, error) in zip(sessions, results)
      where error == nil && session.head.sequence == 0 {
        try add([session.headEntry], to: session.id, in: connection)
      }
    }
    for session in rest where results == [nil] { try addRest(of: session, in: connection) }
    if isSeveral { try connection.run(committing) }
    return results
  }

  // Prepared, since only prepared statements check that they waited for a standby.
  static let committing = Statement("commit", awaitsStandby: true, "COMMIT")

  /// Creates a session without an owner; returns the error where its id or its name is taken.
  static func createUnowned(
    _ session: StoredSession,
    _ epoch: Int64,
    in connection: Connection
  ) throws(PostgreSQLError) -> StoreError? {
    try create([session], unowned, epoch, in: connection)[0]
  }

  private static func create(
    _ sessions: [StoredSession],
    _ statement: Statement,
    _ nodeOrEpoch: Int64,
    isRepeated: Bool = false,
    in connection: Connection
  ) throws(PostgreSQLError) -> [StoreError?] {
    // One order for all nodes: transactions that wait for each other's names must not deadlock.
    let sorted = sessions.sorted { a, b in
      (a.viewModel, a.identity ?? "", a.name ?? "", a.id)
        < (b.viewModel, b.identity ?? "", b.name ?? "", b.id)
    }
    var parameters = Parameters(nodeOrEpoch)
    parameters.addEach(sorted.map(\.id))
    parameters.addEach(sorted.map(\.viewModel))
    parameters.addEach(sorted.map(\.created))
    parameters.addEach(sorted.map(\.used))
    parameters.addEach(sorted.map(\.sequence))
    parameters.addEach(sorted.map(\.isAtWork))
    parameters.addEach(sorted.map(\.parameters))
    parameters.addEach(sorted.map(\.head.sequence))
    parameters.addEach(sorted.map(\.head.version))
    parameters.addEach(sorted.map(\.head.format))
    parameters.addEach(sorted.map { NameList.bytes($0.head.running) })
    parameters.addEach(sorted.map(\.head.state))
    parameters.addEach(sorted) { $0.identity.map { Array($0.utf8) } }
    parameters.addEach(sorted) { $0.name.map { Array($0.utf8) } }
    parameters.addEach(sorted) { $0.creator.map { Array($0.utf8) } }
    let rows = try connection.run(statement, parameters)
    guard rows.count > 0, rows.bool(0, 0) else {
      return Array(repeating: .fenced, count: sessions.count)
    }
    var made: Set<SessionID> = []
    for row in rows.indices where !rows.isNull(row, 1) { made.insert(try rows.id(row, 1)) }
    return try sessions.map { (session) throws(PostgreSQLError) in
      if made.contains(session.id) { return nil }
      guard let name = session.sessionName else { return .conflict }
      if let other = try find(name, in: connection) {
        return other == session.id ? .conflict : .taken(by: other)
      }
      // The session that had the name has ended since, unless the conflict is another.
      if isRepeated { return .conflict }
      return try create([session], statement, nodeOrEpoch, isRepeated: true, in: connection)[0]
    }
  }

  /// Finds the session with a name; nil if there is none.
  static func find(
    _ name: SessionName,
    in connection: Connection
  ) throws(PostgreSQLError) -> SessionID? {
    let identity = Array((name.identity ?? "").utf8)
    let parameters = Parameters(name.viewModel, identity, Array(name.text.utf8))
    let rows = try connection.run(naming, parameters)
    return rows.count == 0 ? nil : try rows.id(0, 0)
  }

  private static let naming = Statement(
    "find_name",
    """
    SELECT id FROM session WHERE view_model = $1 AND coalesce(identity, '') = $2 AND session_name = $3
    """
  )

  // Creates nothing for a node whose lease has expired.
  private static let owned = Statement(
    "create",
    awaitsStandby: true,
    creating(if: LeaseStatements.living("$1"), ["owner": "$1", "epoch": "\(epoch)"])
  )

  private static let unowned = Statement(
    "create_unowned",
    creating(
      if: "SELECT 1",
      [
        "epoch": "$1", "released": "clock_timestamp()",
        "interrupted": "CASE WHEN was_running THEN nextval('interruption') END",
      ]
    )
  )

  /// Returns the SQL that creates sessions if a query has a row, with values of some columns of the table `session`.
  private static func creating(
    if condition: String,
    _ values: KeyValuePairs<String, String>
  ) -> String {
    """
    WITH want AS MATERIALIZED (
      SELECT * FROM unnest($2::bytea[], $3::text[], $4::timestamptz[], $5::timestamptz[],
        $6::bigint[], $7::boolean[], $8::bytea[], $9::bigint[], $10::bigint[], $11::bigint[],
        $12::bytea[], $13::bytea[], $14::bytea[], $15::bytea[], $16::bytea[]) AS w (id, view_model, created, used, last,
        was_running, parameters, sequence, version, format, running, state, identity, name, creator)
    ), living AS MATERIALIZED (\(condition)),
    made AS (
      INSERT INTO session (\(values.map(\.key).joined(separator: ", ")),
        id, view_model, sequence, used, touched, running, identity, session_name, creator)
      SELECT \(values.map(\.value).joined(separator: ", ")),
        id, view_model, last, used, clock_timestamp(), was_running, identity, name, creator FROM want
      WHERE EXISTS (SELECT FROM living)
      ON CONFLICT DO NOTHING RETURNING id
    ), headed AS (
      INSERT INTO head
        (session, sequence, version, format, created, parameters, running, state, reformatted)
      SELECT id, sequence, version, format, created, parameters, running, state,
        CASE WHEN last = 0 THEN 0 END FROM want
      WHERE id IN (SELECT id FROM made)
    ), begun AS (DELETE FROM ended USING made WHERE ended.id = made.id)
    SELECT is_living, made.id
    FROM (SELECT EXISTS (SELECT FROM living) AS is_living) l LEFT JOIN made ON TRUE
    """
  }

  /// Adds a session's entries and keys.
  static func addRest(
    of session: StoredSession,
    in connection: Connection
  ) throws(PostgreSQLError) {
    try add(session.entries, to: session.id, in: connection)
    var columns = KeyColumns(session.coveredKeys)
    columns.add(session.entries)
    var parameters = Parameters(session.id)
    columns.add(to: &parameters)
    try connection.run(addKeys, parameters)
    try AlarmStatements.add(session.alarms, to: session.id, in: connection)
  }

  /// Adds entries in one row, if there are any.
  static func add(
    _ entries: [LogEntry],
    to id: SessionID,
    in connection: Connection
  ) throws(PostgreSQLError) {
    guard let last = entries.last else { return }
    try connection.run(
      addEntries,
      Parameters(
        id,
        last.sequence,
        Int32(clamping: entries.count),
        last.version,
        PackedEntries(entries)
      )
    )
  }

  private static let addEntries = Statement(
    "add_entries",
    """
    INSERT INTO entry (session, sequence, entries, version, body) VALUES ($1, $2, $3, $4, $5)
    """
  )

  private static let addKeys = Statement(
    "add_keys",
    """
    INSERT INTO key (session, \(KeyColumns.names))
    SELECT $1, k.* FROM unnest(\(KeyColumns.types.enumerated().map { "$\(2 + $0)::\($1)[]" }.joined(separator: ", "))) AS k
    """
  )
}

extension StoredSession {
  /// Whether the session has more than a head to store: then it is committed alone.
  var hasMore: Bool { !entries.isEmpty || !keys.isEmpty || !alarms.isEmpty }
}
