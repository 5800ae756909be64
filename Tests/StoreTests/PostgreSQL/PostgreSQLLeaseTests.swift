import FusionPostgreSQLServer
import FusionPostgreSQLSessions
import FusionSessions
import Testing

/// The lease under which a node owns its sessions.
@Suite(
  .enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.isMissing)),
  .timeLimit(.minutes(5))
)
struct `A lease in PostgreSQL` {
  @Test func `is neither renewed nor ended by an earlier node with its number`() async throws {
    try await withNodes("a") { (stores, database) async throws in
      let number = try await stores[0].nodes()[0].node.number
      // Simulates a server that never received the first node.
      try PostgreSQLServer.shared.get().run(
        "UPDATE node SET joined = joined + interval '1 ms', name = 'b'",
        in: database
      )
      #expect(try await stores[0].renew() == false)
      #expect(try await stores[0].join().number > number)
      stores[0].close()
      let nodes = try PostgreSQLSessionArchive(database).nodes().nodes
      #expect(nodes.map(\.node.name) == ["b", "a"])
      #expect(nodes.map(\.membership) == [.current, .left])
    }
  }

  @Test func `is not renewed after its end, even if no other node has noticed it`() async throws {
    try await withNodes("a") { (stores, database) async throws in
      #expect(try await stores[0].renew())
      try expireLease("a", database)
      #expect(try await stores[0].renew() == false)
    }
  }

  @Test func `is found ended even if the row of another ended lease is locked`() async throws {
    try await withNodes("a", "b", "c") { (stores, database) async throws in
      await stores[0].commit(.create(.new(1)))
      try expireLease("a", database)
      try expireLease("b", database)
      // Simulates a node that has begun to join again when its connection breaks.
      let held = try PostgreSQLServer.shared.get().open(database)
      try held.run("BEGIN; UPDATE node SET gone = clock_timestamp() WHERE name = 'b'")
      _ = try await stores[2].interrupted()
      #expect(try await stores[2].acquire(1) == .acquired(.new(1)))
      try held.run("ROLLBACK")
    }
  }

  @Test func `is not locked for long by a node that hangs in a transaction`() async throws {
    let server = try PostgreSQLServer.shared.get()
    let database = try server.emptySchema()
    let store = try PostgreSQLSessionStore(database, .lasting)
    defer { store.close() }
    try server.run(
      """
      CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        NEW.name = current_setting('idle_in_transaction_session_timeout'); RETURN NEW; END $$;
      CREATE TRIGGER note BEFORE INSERT ON node FOR EACH ROW EXECUTE FUNCTION note();
      """,
      in: database
    )
    try await store.join()
    #expect(try await store.nodes().map(\.node.name) == ["3s"])
  }
}
