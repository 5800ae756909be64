import FusionPostgreSQLServer
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
      nil, true
    ),
  ]

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

  @Test func `is refused if it is read-only`() throws {
    let server = try PostgreSQLServer.shared.get()
    let any = try server.emptySchema() + "&target_session_attrs=any"
    let readOnly = any.replacing(
      "search_path",
      with: "default_transaction_read_only%3Don%20-csearch_path"
    )
    let error = #expect(throws: PostgreSQLOpenError.self) { try PostgreSQLSessionStore(readOnly) }
    #expect(
      error.map { "\($0)" }?.hasSuffix(
        "is a standby, which takes no changes: promote it, or name the primary"
      ) == true
    )
    try PostgreSQLSessionStore(any).close()
  }
}
