import FusionSessions

/// The statements that note the use of sessions and give up their ownership.
enum UseStatements {
  static func use(
    _ times: [SessionID: WallTime],
    as node: Int64,
    in connection: Connection
  ) throws(PostgreSQLError) {
    let sorted = times.sorted { $0.key < $1.key }
    var parameters = Parameters(node)
    parameters.addEach(sorted.map(\.key))
    parameters.addEach(sorted.map(\.value))
    try connection.run(using, parameters)
  }

  /// Returns the epochs of the sessions among `ids` that a node owns.
  static func epochs(
    of ids: [SessionID],
    as node: Int64,
    in connection: Connection
  ) throws(PostgreSQLError) -> [SessionID: Int64] {
    var parameters = Parameters(node)
    parameters.addEach(ids)
    let rows = try connection.run(owning, parameters)
    var epochs: [SessionID: Int64] = [:]
    for row in rows.indices { epochs[try rows.id(row, 0)] = rows.integer(row, 1) }
    return epochs
  }

  /// Gives up sessions, each in its epoch and with its idle time.
  static func release(
    _ sessions: [(id: SessionID, epoch: Int64, idle: Duration)],
    as node: Int64,
    in connection: Connection
  ) throws(PostgreSQLError) {
    let sorted = sessions.sorted { $0.id < $1.id }
    var parameters = Parameters(node)
    parameters.addEach(sorted.map(\.id))
    parameters.addEach(sorted.map(\.epoch))
    parameters.addEach(sorted.map(\.idle))
    try connection.run(releasing, parameters)
  }

  /// Checks that the store takes changes.
  static func probe(_ connection: Connection) throws(PostgreSQLError) {
    let rows = try connection.run(probing)
    guard rows.count == 1 else { throw .damaged("the store's own row is missing") }
  }

  private static let using = Statement(
    "use",
    """
    UPDATE session s SET used = greatest(s.used, w.used), touched = clock_timestamp()
    FROM unnest($2::bytea[], $3::timestamptz[]) AS w (id, used) WHERE s.id = w.id AND s.owner = $1
    """
  )

  private static let releasing = Statement(
    "release",
    """
    UPDATE session s SET owner = NULL, touched = clock_timestamp() - w.idle * interval '1 second',
      released = \(AlarmStatements.released("clock_timestamp() - w.idle * interval '1 second'")),
      interrupted = CASE WHEN s.running THEN nextval('interruption') END
    FROM unnest($2::bytea[], $3::bigint[], $4::float8[]) AS w (id, epoch, idle)
    WHERE s.id = w.id AND s.owner = $1 AND s.epoch = w.epoch
    """
  )

  private static let owning = Statement(
    "owning",
    "SELECT id, epoch FROM session WHERE owner = $1 AND id = ANY($2::bytea[])"
  )

  private static let probing = Statement(
    "probe",
    awaitsStandby: true,
    // The first five change nothing, but need the same rights as a commit.
    """
    WITH s AS (UPDATE session SET sequence = sequence WHERE FALSE),
    h AS (UPDATE head SET sequence = sequence WHERE FALSE),
    e AS (INSERT INTO entry SELECT * FROM entry WHERE FALSE),
    k AS (INSERT INTO key SELECT * FROM key WHERE FALSE),
    a AS (INSERT INTO alarm SELECT * FROM alarm WHERE FALSE),
    g AS (INSERT INTO share SELECT * FROM share WHERE FALSE)
    UPDATE service SET probed = clock_timestamp() RETURNING version
    """
  )
}
