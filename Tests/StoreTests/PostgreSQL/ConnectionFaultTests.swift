import FusionPostgreSQLServer
import FusionSessions
import Synchronization
import Testing

@testable import FusionPostgreSQLSessions

/// The advice if a server cannot be reached.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.isMissing)))
struct `A connection that PostgreSQL refuses` {
  /// The texts of libpq and of a server of version 17.
  private static let texts: [(text: String, advice: String?, isTransient: Bool)] = [
    (
      #"connection to server at "db" (10.0.0.1), port 5432 failed: Connection refused Is the server running on that host and accepting TCP/IP connections?"#,
      "check that it runs, and its address", true
    ),
    (
      #"could not translate host name "nowhere" to address: Name or service not known"#,
      "check that it runs, and its address", true
    ),
    (
      #"connection to server at "db" (10.0.0.1), port 5432 failed: session is read-only"#,
      "it is a standby: promote it, or name the primary", true
    ),
    (
      #"connection to server at "db" (10.0.0.1), port 5432 failed: FATAL:  password authentication failed for user "u""#,
      "check the password, which may also be in PGPASSWORD or PGPASSFILE", false
    ),
    (
      #"connection to server at "db" (10.0.0.1), port 5432 failed: FATAL:  no pg_hba.conf entry for host "10.0.0.9", user "u", database "x", no encryption"#,
      "have the server's pg_hba.conf let this user in from here", false
    ),
    (
      #"connection to server at "db" (10.0.0.1), port 5432 failed: SSL error: certificate verify failed"#,
      "check sslmode and sslrootcert, and whose name the server's certificate has", false
    ),
    (
      #"connection to server at "db" (10.0.0.1), port 5432 failed: server certificate for "a" does not match host name "db""#,
      "check sslmode and sslrootcert, and whose name the server's certificate has", false
    ),
    (
      #"connection to server at "a" failed: Connection refused connection to server at "b" failed: FATAL:  database "x" does not exist"#,
      "create it (createdb), or name another", true
    ),
    (
      #"connection to server at "db" (10.0.0.1), port 5432 failed: FATAL:  the database system is starting up"#,
      "wait until it has started", true
    ),
    (
      #"connection to server at "db" (10.0.0.1), port 5432 failed: FATAL:  the database system is not yet accepting connections DETAIL:  Consistent recovery state has not been yet reached."#,
      "wait until it has started", true
    ),
    (#"FATAL:  sorry, too many clients already"#, connections, true),
    (
      #"FATAL:  remaining connection slots are reserved for roles with the SUPERUSER attribute"#,
      connections, true
    ),
    (#"FATAL:  too many connections for database "x""#, connections, true),
    (
      #"FATAL:  Peer authentication failed for user "u""#,
      "name the user that pg_hba.conf expects, or have it ask this user for a password", false
    ),
    (
      #"FATAL:  role "u" is not permitted to log in"#,
      "let the user log in (ALTER ROLE … LOGIN, GRANT CONNECT ON DATABASE …)", false
    ),
    (
      #"FATAL:  permission denied for database "x" DETAIL:  User does not have CONNECT privilege."#,
      "let the user log in (ALTER ROLE … LOGIN, GRANT CONNECT ON DATABASE …)", false
    ),
    (
      #"FATAL:  database "x" is not currently accepting connections"#,
      "open it (ALTER DATABASE … ALLOW_CONNECTIONS true), or name another", true
    ),
    (
      #"FATAL:  unrecognized configuration parameter "foo""#,
      "correct that setting in the connection string, or in PGOPTIONS", false
    ),
    (
      #"FATAL:  invalid value for parameter "lock_timeout": "x""#,
      "correct that setting in the connection string, or in PGOPTIONS", false
    ),
    (
      "server does not support SSL, but SSL was required",
      "check sslmode and sslrootcert, and whose name the server's certificate has", false
    ),
    ("server closed the connection unexpectedly", nil, true),
  ]

  private static let connections =
    "each process needs 5 connections: raise CONNECTION LIMIT of the user and the database, or"
    + " max_connections of the server"

  @Test(arguments: texts)
  func `is explained according to the server's text`(
    text: String,
    advice: String?,
    isTransient: Bool
  ) {
    let error = PostgreSQLOpenError.unreachable("postgres://db", text)
    let end = advice.map { ": \($0)" } ?? ""
    #expect("\(error)" == "PostgreSQL at postgres://db cannot be reached (\(text))" + end)
    #expect(error.isTransient == isTransient)
  }

  @Test func `names a missing database or user`() throws {
    let database = try PostgreSQLServer.shared.get().emptySchema()
    let nobody = database.replacing("user=fusion", with: "user=nobody")
    for (string, advice) in [
      (
        database.replacing("/postgres?", with: "/nothing?"),
        ": create it (createdb), or name another"
      ),
      (nobody, ": create it (createuser), or name another"),
    ] {
      let error = #expect(throws: PostgreSQLOpenError.self) { try PostgreSQLSessionStore(string) }
      #expect(error.map { "\($0)" }?.hasSuffix(advice) == true, "\(error.map { "\($0)" } ?? "")")
      #expect(error?.isTransient == false)
    }
  }

  @Test func `names an unknown parameter, unless it may be part of a password`() {
    for (string, name) in [
      ("postgres://user:geheim@host/x?sslmod=require", "sslmod"),
      ("postgres://host/x?ssl=true&sslmode=require&foo=1", "foo"),
    ] {
      let error = #expect(throws: PostgreSQLOpenError.self) { try PostgreSQLSessionStore(string) }
      #expect(
        error == .malformed("it has the parameter \(name), which PostgreSQL does not know")
      )
    }
    let secret = "postgres://user:geh?eim=1@host/x"
    let error = #expect(throws: PostgreSQLOpenError.self) { try PostgreSQLSessionStore(secret) }
    #expect(error.map { "\($0)" }?.contains("eim") == false)
  }

  /// As an administrator sets it for a role; libpq calls that server read-only, as it does a standby.
  @Test(arguments: ["", "&target_session_attrs=any"])
  func `is said to be read-only by a setting, and no standby`(attributes: String) throws {
    let server = try PostgreSQLServer.shared.get()
    let database = try server.emptySchema()
    let role = try makeRole(in: database)
    try server.run("ALTER ROLE \(role) SET default_transaction_read_only = on")
    let string = database.replacing("user=fusion", with: "user=\(role)") + attributes
    let error = #expect(throws: PostgreSQLOpenError.self) { try PostgreSQLSessionStore(string) }
    let text = error.map { "\($0)" } ?? ""
    #expect(
      text.hasSuffix(
        "(default_transaction_read_only is on): turn default_transaction_read_only off for the server, the database"
          + " and the user"
      ),
      "\(text)"
    )
    #expect(error?.isTransient == true)
    try server.run("ALTER ROLE \(role) RESET default_transaction_read_only")
    try PostgreSQLSessionStore(string).close()
  }

  @Test(arguments: 1...4)
  func `says how many connections it needs, and may be tried again`(limit: Int) throws {
    let server = try PostgreSQLServer.shared.get()
    let database = try server.emptySchema()
    let role = try makeRole(in: database)
    try server.run("ALTER ROLE \(role) CONNECTION LIMIT \(limit)")
    let string = database.replacing("user=fusion", with: "user=\(role)")
    try expectTooFewConnections(string)
    try server.run("ALTER ROLE \(role) CONNECTION LIMIT \(limit + 5)")
    // As other processes of the same user.
    let others = try (0..<limit + 5).map { _ in try server.open(string) }
    try expectTooFewConnections(string)
    _ = consume others
    try server.run("ALTER ROLE \(role) CONNECTION LIMIT -1")
    try PostgreSQLSessionStore(string).close()
  }

  /// As if other processes took the connections that this one has lost.
  @Test func `is reported with advice, though an outage came first, until a change is committed`()
    async throws
  {
    let server = try PostgreSQLServer.shared.get()
    let database = try server.emptySchema()
    let role = try makeRole(in: database)
    let string = database.replacing("user=fusion", with: "user=\(role)")
    let events = Mutex<[PostgreSQLSessionStore.Event]>([])
    let store = try PostgreSQLSessionStore(
      string,
      .lasting,
      report: { event in events.withLock { $0.append(event) } }
    )
    defer { store.close() }
    try await store.join()
    #expect(await store.commit(.create(.new(1))) == nil)
    try server.run("ALTER ROLE \(role) CONNECTION LIMIT 0")
    try server.run(
      "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = '\(role)'"
    )
    let isTold = {
      events.withLock { events in
        events.contains { event in
          if case .unreachable(let text) = event {
            text.contains("raise CONNECTION LIMIT")
          } else {
            false
          }
        }
      }
    }
    while !isTold() { _ = await store.commit(.append(to: 1, 1...1)) }
    try server.run("ALTER ROLE \(role) CONNECTION LIMIT -1")
    while await store.commit(.append(to: 1, 1...1)) != nil {}
    let told = events.withLock { $0 }
    #expect(told.last == .reconnected && told.count <= 3)
  }

  private func expectTooFewConnections(_ string: String) throws {
    let error = #expect(throws: PostgreSQLOpenError.self) { try PostgreSQLSessionStore(string) }
    let text = error.map { "\($0)" } ?? ""
    #expect(text.contains("too many connections for "), "\(text)")
    #expect(text.contains(": each process needs 5 connections: raise CONNECTION LIMIT"))
    #expect(error?.isTransient == true)
  }

  /// Makes a role that may use and create tables in the schema.
  private func makeRole(in database: String) throws -> String {
    let connection = try PostgreSQLServer.shared.get().open(database)
    let role = try #require(try connection.run("SELECT current_schema()"))
    try connection.run("CREATE ROLE \(role) LOGIN; GRANT ALL ON SCHEMA \(role) TO \(role)")
    return role
  }
}
