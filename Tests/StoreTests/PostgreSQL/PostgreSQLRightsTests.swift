import FusionPostgreSQLServer
import FusionPostgreSQLSessions
import FusionSessions
import Testing

/// A user that may read and write but not create tables.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.isMissing)))
struct `A store whose user loses a right` {
  @Test(
    arguments: [
      "INSERT ON entry", "UPDATE ON session", "UPDATE ON head", "UPDATE ON service",
    ]
  )
  func `fails until the right is granted again`(right: String) async throws {
    let server = try PostgreSQLServer.shared.get()
    let database = try server.emptySchema()
    try PostgreSQLSessionStore(database).close()
    let connection = try server.open(database)
    let role = try #require(try connection.run("SELECT current_schema()"))
    try connection.run(
      """
      CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA \(role) TO \(role);
      GRANT ALL ON ALL TABLES IN SCHEMA \(role) TO \(role);
      GRANT ALL ON ALL SEQUENCES IN SCHEMA \(role) TO \(role)
      """
    )
    let store = try PostgreSQLSessionStore(
      database.replacing("user=fusion", with: "user=\(role)"),
      .lasting
    )
    defer { store.close() }
    try await store.join()
    #expect(await store.commit(.create(.new(1))) == nil)
    #expect(await store.commit(.probe) == nil)
    try connection.run("REVOKE \(right) FROM \(role)")
    guard case .unreachable(let text)? = await store.commit(.probe) else {
      Issue.record("the probe succeeded")
      return
    }
    #expect(text.hasPrefix("permission denied for table "))
    #expect(text.hasSuffix(" (SQLSTATE 42501)"))
    if !right.hasSuffix("service"), !right.hasSuffix("head") {
      #expect(await store.commit(.append(to: 1, 1...1)) == .unreachable(text))
    }
    try connection.run("GRANT \(right) TO \(role)")
    #expect(await store.commit(.probe) == nil)
    #expect(await store.commit(.append(to: 1, 1...1)) == nil)
  }
}
