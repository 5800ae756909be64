import FusionPostgreSQLServer
import FusionPostgreSQLSessions
import FusionSessions
import Testing

/// SQL that reverts what versions 4 to 6 added.
let shapeOfVersion3 = """
  DROP TABLE crash; DROP TABLE share; DROP FUNCTION head_reformatted CASCADE; ALTER TABLE head DROP COLUMN reformatted;
  ALTER TABLE session DROP COLUMN creator
  """

/// Tables of an older version.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.isMissing)))
struct `Tables of an older shape in PostgreSQL` {
  @Test func `are migrated with all their contents`() async throws {
    let server = try PostgreSQLServer.shared.get()
    try await withNodes("a") { (stores, database) async throws in
      await stores[0].commit(.create(.new(1)))
      await stores[0].release([.number(1): .zero])
      try server.run(shape1, in: database)
      let older = #expect(throws: PostgreSQLOpenError.self) {
        try PostgreSQLSessionArchive(database)
      }
      #expect(older?.description.contains("written by an older version") == true)

      var options = PostgreSQLSessionStore.Options.lasting
      options.name = "b"
      let newer = try PostgreSQLSessionStore(database, options)
      defer { newer.close() }
      try await newer.join()
      var second = LogEntry.number(2, key: "two")
      second.outcome = .patch(Array("[]".utf8))
      var third = LogEntry.number(3)
      (third.outcome, third.running) = (.unchanged, ["load", "search"])
      var session = StoredSession.new(1).with([second, third])
      session.head = .after(1)
      session.keys = [.to("one", 1), .to("two", 2)]
      #expect(try await newer.acquire(1) == .acquired(session))
      let log = try PostgreSQLSessionArchive(database).history(of: .number(1))?.log
      #expect(log == [.number(1, key: "one"), second, third])
      #expect(await newer.commit(.append(to: 1, 4...5)) == nil)
      #expect(try await newer.load(.number(1))?.sequence == 5)
      // A node of the older version cannot store anything.
      #expect(throws: (any Error).self) { try server.run(oldAppend, in: database) }
    }
  }

  @Test func `of version 2 accept names, even beside nodes of that version`() async throws {
    let server = try PostgreSQLServer.shared.get()
    try await withNodes("a") { (stores, database) async throws in
      await stores[0].commit(.create(.new(1)))
      await stores[0].release([.number(1): .zero])
      try server.run(version2, in: database)
      var options = PostgreSQLSessionStore.Options.lasting
      options.name = "b"
      let newer = try PostgreSQLSessionStore(database, options)
      defer { newer.close() }
      try await newer.join()
      #expect(try await newer.acquire(1) == .acquired(.new(1)))
      #expect(await newer.commit(.create(.new(2, named: "a", of: "x"))) == nil)
      // A session that a node of version 2 creates.
      try server.run(oldCreation, in: database)
      #expect(try await newer.load(.number(3))?.name == nil)
      #expect(await newer.commit(.create(.new(4, named: "a", of: "x"))) == .taken(by: .number(2)))
    }
  }

  @Test func `of version 3 accept shares, which end with their session even at an old node`()
    async throws
  {
    let server = try PostgreSQLServer.shared.get()
    try await withNodes("a") { (stores, database) async throws in
      await stores[0].commit(.create(.new(1)))
      await stores[0].commit(.append(to: 1, 1...2))
      await stores[0].release([.number(1): .zero])
      #expect(try server.run("SELECT reformatted FROM head", in: database) == "0")
      try server.run("\(shapeOfVersion3); UPDATE service SET version = 3", in: database)
      let newer = try PostgreSQLSessionStore(database, .lasting)
      defer { newer.close() }
      try await newer.join()
      let session = StoredSession.new(1).with([.number(1), .number(2)])
      #expect(try await newer.acquire(1) == .acquired(session))
      let changed = "SELECT coalesce(reformatted, -1) FROM head"
      #expect(try server.run(changed, in: database) == "-1")
      // A node of version 3 changes the format.
      try server.run("UPDATE head SET format = 2, sequence = 2", in: database)
      #expect(try server.run(changed, in: database) == "2")
      #expect(await newer.commit(.share(.number(7, of: 1))) == nil)
      #expect(try await newer.shares(.session(.number(1))) == [.number(7, of: 1)])
      try server.run("DELETE FROM session", in: database)
      #expect(try await newer.shares(.ids([.number(7)])) == [])
    }
  }

  @Test func `of version 4 keep crashes, which end with their session even at an old node`()
    async throws
  {
    let server = try PostgreSQLServer.shared.get()
    try await withNodes("a") { (stores, database) async throws in
      await stores[0].commit(.create(.new(1)))
      await stores[0].release([.number(1): .zero])
      try server.run(
        "DROP TABLE crash; ALTER TABLE session DROP COLUMN creator; UPDATE service SET version = 4",
        in: database
      )
      let newer = try PostgreSQLSessionStore(database, .lasting)
      defer { newer.close() }
      try await newer.join()
      #expect(try await newer.acquire(1) == .acquired(.new(1)))
      for second in Int64(1)...2 { await newer.commit(.crash(of: 1, at: second)) }
      #expect(try await newer.crashed().map(\.id) == [.number(1)])
      try server.run("DELETE FROM session", in: database)
      #expect(try await newer.crashed() == [])
    }
  }

  @Test func `of version 5 keep creators, even beside nodes of that version`() async throws {
    let server = try PostgreSQLServer.shared.get()
    try await withNodes("a") { (stores, database) async throws in
      await stores[0].commit(.create(.new(1)))
      await stores[0].release([.number(1): .zero])
      let old = "ALTER TABLE session DROP COLUMN creator; UPDATE service SET version = 5"
      try server.run(old, in: database)
      let newer = try PostgreSQLSessionStore(database, .lasting)
      defer { newer.close() }
      try await newer.join()
      #expect(try await newer.acquire(1) == .acquired(.new(1)))
      var house = StoredSession.new(2)
      house.creator = "ada"
      #expect(await newer.commit(.create(house)) == nil)
      #expect(try await newer.load(.number(2)) == house)
      // A session that a node of version 5 creates.
      try server.run(oldCreation, in: database)
    }
  }

  private let version2 = """
    \(shapeOfVersion3); DROP TABLE alarm; ALTER TABLE session DROP COLUMN identity, DROP COLUMN session_name;
    UPDATE service SET version = 2
    """

  private let oldCreation = """
    INSERT INTO session (id, epoch, sequence, used, touched, released, running, view_model)
    SELECT decode('80000000000000033000000000000007', 'hex'), 1, 0, used, touched, now(), FALSE, view_model
    FROM session LIMIT 1;
    INSERT INTO head (session, sequence, version, format, created, parameters, running, state)
    SELECT decode('80000000000000033000000000000007', 'hex'), 0, 1, format, created, parameters, running, state
    FROM head LIMIT 1
    """

  private let oldAppend = """
    INSERT INTO entry (session, sequence, version, time, kind, outcome, running, trace)
    SELECT id, 6, 7, now(), 0, '', '', '' FROM session
    """

  /// Writes a session in the shape of version 1: three entries, and a whole State after the first.
  private let shape1 = """
    ALTER TABLE session DROP COLUMN identity, DROP COLUMN session_name;
    \(shapeOfVersion3); DROP TABLE alarm; DROP TABLE entry;
    CREATE TABLE entry (
      session bytea NOT NULL, sequence bigint NOT NULL, version bigint NOT NULL,
      time timestamptz NOT NULL, kind bigint NOT NULL, outcome bytea NOT NULL, running bytea NOT NULL,
      trace bytea NOT NULL, key bytea, key_time timestamptz, digest bytea, answer bigint,
      processed bigint, count bigint, key_version bigint, PRIMARY KEY (session, sequence)
    );
    INSERT INTO entry
    SELECT id, n, n + 1, used + n * interval '1 s', kind, outcome::bytea, e.running::bytea, '{"input":"increase"}',
      key::bytea, used + n * interval '1 s', decode(repeat('0' || n, 32), 'hex'), 0, 1, 1, n + 1
    FROM session, (VALUES
      (1, 1, '{"count":1}', '', 'one'), (2, 2, '[]', '', 'two'), (3, 0, '', '4:load6:search', NULL)
    ) AS e (n, kind, outcome, running, key);
    UPDATE head SET sequence = 1, version = 2, state = '{"count":1}';
    UPDATE session SET sequence = 3, used = used + interval '3 s';
    UPDATE service SET version = 1
    """
}
