import FusionPostgreSQLServer
import FusionPostgreSQLSessions
import FusionSessions
import Testing

/// Alarms in a database that nodes share.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.isMissing)))
struct `Alarms in PostgreSQL` {
  @Test func `are found by all nodes unless a living node owns their session`() async throws {
    try await withNodes("a", "b") { (stores, database) async throws in
      for number in 1...2 as ClosedRange<UInt64> {
        await stores[0].commit(.create(.new(number)))
        await stores[0].commit(.alarms(of: number, 1, set: [.named("tea", 5)]))
      }
      #expect(try await stores[1].alarms(dueBy: 9) == [])
      await stores[0].release([.number(1): .zero])
      #expect(try await stores[1].alarms(dueBy: 9).map(\.session) == [.number(1)])
      try expireLease("a", database)
      #expect(try await stores[1].alarms(dueBy: 9).map(\.session) == [.number(1), .number(2)])
      guard case .acquired(let session) = try await stores[1].acquire(1) else { throw NotMine() }
      #expect(session.alarms == [.named("tea", 5)])
      // Session 1 is still listed to its own node, which may have lost it or failed to release it.
      #expect(try await stores[1].alarms(dueBy: 9).map(\.session) == [.number(1), .number(2)])
    }
  }

  private struct NotMine: Error {}

  @Test func `keep a session from expiring after its node has released it or died`() async throws {
    try await withNodes("a", "b") { (stores, database) async throws in
      for number in 1...4 as ClosedRange<UInt64> {
        await stores[0].commit(.create(.new(number)))
        guard number % 2 == 0 else { continue }
        await stores[0].commit(.alarms(of: number, 1, set: [.named("tea", 5)]))
      }
      await stores[0].release([.number(1): .seconds(99), .number(2): .seconds(99)])
      try expireLease("a", database)
      _ = try await stores[1].interrupted()
      try PostgreSQLServer.shared.get().run(
        "UPDATE session SET released = released - interval '99 s'",
        in: database
      )
      #expect(try await stores[1].expire(unusedFor: .seconds(9)) == 2)
      #expect(try await stores[1].load(.number(2))?.alarms.count == 1)
      #expect(try await stores[1].load(.number(4))?.alarms.count == 1)
      // The last alarm is removed: now the session expires like any other.
      _ = try await stores[1].acquire(2)
      await stores[1].commit(.alarms(of: 2, 2, cancel: ["tea"]))
      await stores[1].release([.number(2): .seconds(99)])
      #expect(try await stores[1].expire(unusedFor: .seconds(9)) == 1)
    }
  }

  /// A rolling deploy, in which nodes of the previous build continue while the first new one starts.
  @Test func `get a new table that does not disturb nodes of the previous build`() async throws {
    let server = try PostgreSQLServer.shared.get()
    try await withNodes("old") { (stores, database) async throws in
      await stores[0].commit(.create(.new(1)))
      await stores[0].release([.number(1): .zero])
      try server.run(
        """
        \(shapeOfVersion3); DROP TABLE alarm; ALTER TABLE session DROP COLUMN identity, DROP COLUMN session_name;
        UPDATE service SET version = 2
        """,
        in: database
      )
      #expect(throws: PostgreSQLOpenError.self) { try PostgreSQLSessionArchive(database) }
      var options = PostgreSQLSessionStore.Options.lasting
      options.name = "new"
      let new = try PostgreSQLSessionStore(database, options)
      defer { new.close() }
      try await new.join()
      #expect(try await new.acquire(1) == .acquired(.new(1)))
      await new.commit(.alarms(of: 1, 1, set: [.named("tea", 5)]))
      await new.release([.number(1): .seconds(99)])
      // The statements of the previous build.
      for statement in yesterday { try server.run(statement, in: database) }
      #expect(try await new.load(.number(1))?.alarms == [.named("tea", 5)])
      // A session released by the previous build does not expire at a new node.
      try server.run("UPDATE session SET released = released - interval '99 s'", in: database)
      #expect(try await new.expire(unusedFor: .seconds(9)) == 0)
      #expect(try await new.load(.number(1))?.alarms == [.named("tea", 5)])
      // The session is not checked again.
      #expect(try server.run("SELECT released FROM session", in: database) == "infinity")
      try server.run("DELETE FROM session", in: database)
      #expect(try await new.alarms(dueBy: 9) == [])
    }
  }

  /// Nodes of the previous build delete released sessions, whether or not they have alarms.
  @Test func `of an imported session keep it even while nodes of the previous build run`()
    async throws
  {
    try await withNodes("new") { (stores, database) async throws in
      var session = StoredSession.new(1)
      session.alarms = [.named("tea", 5)]
      #expect(try PostgreSQLSessionArchive(database).put(session, replacing: false) == .done)
      let released = "SELECT released FROM session"
      #expect(try PostgreSQLServer.shared.get().run(released, in: database) == "infinity")
    }
  }

  private let yesterday = [
    """
    DELETE FROM session WHERE released <= clock_timestamp() - interval '9 s'
    """,
    """
    UPDATE session SET owner = NULL, touched = clock_timestamp(), released = clock_timestamp(),
      interrupted = CASE WHEN running THEN nextval('interruption') END
    """,
    """
    INSERT INTO session (owner, epoch, id, view_model, sequence, used, touched, running)
    VALUES (1, 1, '\\x01', 'counter', 0, now(), now(), FALSE)
    """,
    "INSERT INTO entry (session, sequence, entries, version, body) VALUES ('\\x01', 1, 0, 2, '')",
    "DELETE FROM session WHERE id = '\\x01'",
  ]
}
