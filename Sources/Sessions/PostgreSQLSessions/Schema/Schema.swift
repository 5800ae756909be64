import CFusionPostgreSQL

/// The schema of a store's database.
enum Schema {
  /// The version of the schema.
  static let version = 6

  private static let attempts = 10
  /// The most time of a statement that writes all stored content anew.
  private static let migrationTimeout = Duration.seconds(3_600)

  /// Creates or migrates the tables; several processes may call it at once.
  static func prepare(_ connection: Connection, of server: String) throws(PostgreSQLOpenError) {
    do throws(PostgreSQLError) {
      if try isCurrent(connection) { return }
      try makeService(connection)
    } catch {
      throw Self.error(error, of: server)
    }
    let found: Int
    do throws(PostgreSQLError) {
      found = try migrate(connection)
    } catch {
      // The end of the connection rolls back at the latest.
      _ = try? connection.run("ROLLBACK")
      throw Self.error(error, of: server)
    }
    guard found <= version else { throw .newer(server, found, known: version) }
  }

  private static func error(_ error: PostgreSQLError, of server: String) -> PostgreSQLOpenError {
    if error.endsConnection || error.isOfServer { return .unreachable(server, error.text) }
    return error.isLockTimeout ? .busy(server, error.text) : .unusable(server, error.text)
  }

  /// Throws if the tables are missing or have another version.
  static func check(_ connection: Connection, of server: String) throws(PostgreSQLOpenError) {
    let found: Int?
    do throws(PostgreSQLError) {
      found = try hasService(connection) ? storedVersion(connection) : nil
    } catch {
      throw error.isLockTimeout ? .busy(server, error.text) : .unreadable(server, error.text)
    }
    guard let found else { throw .missing(server) }
    guard found >= version else { throw .older(server) }
    guard found <= version else { throw .newer(server, found, known: version) }
  }

  /// Returns whether nothing is to be created; then the user needs no right to create tables.
  private static func isCurrent(_ connection: Connection) throws(PostgreSQLError) -> Bool {
    guard try hasService(connection) else { return false }
    return try storedVersion(connection) == version
  }

  private static func hasService(_ connection: Connection) throws(PostgreSQLError) -> Bool {
    let rows = try connection.run(
      Statement("has_service", "SELECT to_regclass('service') IS NOT NULL")
    )
    return rows.bool(0, 0)
  }

  private static func storedVersion(_ connection: Connection) throws(PostgreSQLError) -> Int? {
    let rows = try connection.run(Statement("version", "SELECT version FROM service"))
    return rows.count == 0 ? nil : rows.int(0, 0)
  }

  /// Creates the table that later steps lock.
  ///
  /// Some of several concurrent processes may fail in spite of IF NOT EXISTS, and try again.
  private static func makeService(_ connection: Connection) throws(PostgreSQLError) {
    for attempt in 1...attempts {
      do throws(PostgreSQLError) {
        try connection.run(
          """
          CREATE TABLE IF NOT EXISTS service (
            version bigint NOT NULL, secret bytea NOT NULL,
            probed timestamptz NOT NULL DEFAULT clock_timestamp()
          )
          """
        )
        return
      } catch {
        guard error.isContained || error.isDuplicate, attempt < attempts else { throw error }
      }
    }
  }

  /// Creates or migrates the tables in one transaction, one process at a time; returns the version that it found.
  private static func migrate(_ connection: Connection) throws(PostgreSQLError) -> Int {
    try connection.run("BEGIN")
    try connection.run("LOCK TABLE service IN ACCESS EXCLUSIVE MODE")
    let found = try storedVersion(connection)
    if found == nil {
      for table in tables { try connection.run(table) }
      var generator = SystemRandomNumberGenerator()
      let parameters = Parameters(
        version,
        (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
      )
      try connection.run(
        Statement("begin_service", "INSERT INTO service (version, secret) VALUES ($1, $2)"),
        parameters
      )
    }
    if let found, found < version {
      let timeout = connection.timeout
      connection.timeout = migrationTimeout
      defer { connection.timeout = timeout }
      let steps = [
        (1, migrationFrom1), (2, migrationFrom2), (3, migrationFrom3), (4, migrationFrom4),
        (5, migrationFrom5),
      ]
      for (number, statements) in steps where number >= found {
        for statement in statements { try connection.run(statement) }
      }
    }
    try connection.run("COMMIT")
    return max(found ?? version, version)
  }
}

extension Schema {
  /// Returns the key of the digests of request bodies.
  static func secret(_ connection: Connection) throws(PostgreSQLError) -> [UInt8] {
    let rows = try connection.run(Statement("secret", "SELECT secret FROM service"))
    guard rows.count == 1 else { throw .damaged("the secret is missing") }
    return rows.bytes(0, 0)
  }

  /// Replaces the secret by another store's if no node can have read it: there are no sessions, and only nodes that
  /// have stopped; returns whether it did.
  ///
  /// Nodes that start then wait for the end of the transaction. A node that seems dead may only have been cut off, and
  /// come back with the secret that it has read.
  static func takeOver(
    _ secret: [UInt8],
    _ connection: Connection
  ) throws(PostgreSQLError) -> Bool {
    let isUnread = try connection.run(Statement("unread_secret", "SELECT \(unread)")).bool(0, 0)
    guard isUnread else { return false }
    try connection.run("LOCK TABLE service IN ACCESS EXCLUSIVE MODE")
    guard try connection.run(takingOver, Parameters(secret)).count == 1 else {
      throw PostgreSQLError(kind: .refused(sqlState: "40001"), text: "a node has begun meanwhile")
    }
    return true
  }

  private static let takingOver = Statement(
    "take_over_secret",
    "UPDATE service SET secret = $1 WHERE \(unread) RETURNING TRUE"
  )

  private static let unread = """
    NOT EXISTS (SELECT FROM session)
    AND NOT EXISTS (SELECT FROM node WHERE gone IS DISTINCT FROM expires)
    """
}
