import FusionSessions

/// Sessions that begin.
enum Creations {
  /// The epoch that a node has a session in which it has created.
  static let epoch: Int64 = 1

  /// Commits those that are not there yet, all of them at once, and says of each what came of it.
  ///
  /// Of each session there is one at the most; those that have entries or keys come alone.
  static func commit(
    _ sessions: [StoredSession],
    as node: Int64,
    in connection: Connection
  ) throws(PostgreSQLError) -> [StoreError?] {
    let rest = sessions.filter { !$0.entries.isEmpty || !$0.keys.isEmpty }
    if !rest.isEmpty { try connection.run("BEGIN") }
    let results = try create(sessions, as: node, in: connection)
    for session in rest where results == [nil] { try addRest(of: session, in: connection) }
    if !rest.isEmpty { try connection.run(committing) }
    return results
  }

  // A statement, as of these it is heard whether a standby was waited for.
  static let committing = Statement("commit", awaitsStandby: true, "COMMIT")

  private static func create(
    _ sessions: [StoredSession],
    as node: Int64,
    in connection: Connection
  ) throws(PostgreSQLError) -> [StoreError?] {
    let sorted = sessions.sorted { $0.id < $1.id }
    var parameters = Parameters()
    parameters.add(node)
    parameters.addEach(sorted.map(\.id))
    parameters.addEach(sorted.map(\.viewModel))
    parameters.addEach(sorted.map(\.created))
    parameters.addEach(sorted.map(\.used))
    parameters.addEach(sorted.map(\.sequence))
    parameters.addEach(sorted.map { !$0.running.isEmpty })
    parameters.addEach(sorted.map(\.parameters))
    parameters.addEach(sorted.map(\.head.sequence))
    parameters.addEach(sorted.map(\.head.version))
    parameters.addEach(sorted.map(\.head.format))
    parameters.addEach(sorted.map { NameList.bytes($0.head.running) })
    parameters.addEach(sorted.map(\.head.state))
    let rows = try connection.run(statement, parameters)
    guard rows.count > 0, rows.bool(0, 0) else {
      return Array(repeating: .fenced, count: sessions.count)
    }
    var made: Set<SessionID> = []
    for row in rows.indices where !rows.isNull(row, 1) { made.insert(try rows.id(row, 1)) }
    return sessions.map { made.contains($0.id) ? nil : .conflict }
  }

  /// A node whose lease has run out has nothing, and so can begin nothing.
  private static let statement = Statement(
    "create",
    awaitsStandby: true,
    """
    WITH want AS MATERIALIZED (
      SELECT * FROM unnest($2::bytea[], $3::text[], $4::timestamptz[], $5::timestamptz[],
        $6::bigint[], $7::boolean[], $8::bytea[], $9::bigint[], $10::bigint[], $11::bigint[],
        $12::bytea[], $13::bytea[]) AS w (id, view_model, created, used, last, was_running, parameters,
        sequence, version, format, running, state)
    ), living AS MATERIALIZED (\(Leases.living("$1"))),
    made AS (
      INSERT INTO session (id, view_model, owner, epoch, sequence, used, touched, running)
      SELECT id, view_model, $1, \(epoch), last, used, clock_timestamp(), was_running FROM want
      WHERE EXISTS (SELECT FROM living)
      ON CONFLICT (id) DO NOTHING RETURNING id
    ), headed AS (
      INSERT INTO head (session, sequence, version, format, created, parameters, running, state)
      SELECT id, sequence, version, format, created, parameters, running, state FROM want
      WHERE id IN (SELECT id FROM made)
    ), begun AS (DELETE FROM ended USING made WHERE ended.id = made.id)
    SELECT is_living, made.id
    FROM (SELECT EXISTS (SELECT FROM living) AS is_living) l LEFT JOIN made ON TRUE
    """
  )

  /// What a session has beside its State.
  static func addRest(
    of session: StoredSession,
    in connection: Connection
  ) throws(PostgreSQLError) {
    try add(session.entries, to: session.id, in: connection)
    let inEntries = Set(session.entries.compactMap(\.key?.key))
    var keys: [KeyProgress] = []
    // Of each key the newest.
    for key in session.keys where !inEntries.contains(key.key) {
      keys.removeAll { $0.key == key.key }
      keys.append(key)
    }
    var columns = KeyColumns()
    for (place, key) in keys.enumerated() {
      columns.add(key, session.head.sequence - keys.count + 1 + place)
    }
    columns.add(session.entries)
    var parameters = Parameters()
    parameters.add(session.id)
    columns.add(to: &parameters)
    try connection.run(addKeys, parameters)
  }

  /// In one row, where there are any.
  static func add(
    _ entries: [LogEntry],
    to id: SessionID,
    in connection: Connection
  ) throws(PostgreSQLError) {
    guard let last = entries.last else { return }
    var parameters = Parameters()
    parameters.add(id)
    parameters.add(last.sequence)
    parameters.add(Int32(clamping: entries.count))
    parameters.add(last.version)
    parameters.add(PackedEntries(entries))
    try connection.run(addEntries, parameters)
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
