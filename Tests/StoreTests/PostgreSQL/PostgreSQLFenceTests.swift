import FusionPostgreSQLServer
import FusionPostgreSQLSessions
import FusionSessions
import Synchronization
import Testing

/// The fence in the database, which keeps two nodes from working on one session.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.isMissing)))
struct `A session in PostgreSQL` {
  private let created = {
    var session = StoredSession.new(1)
    session.creator = "ada"
    return session
  }()

  @Test func `is owned by the node that created it, which other nodes are told`() async throws {
    try await withNodes("a", "b") { (stores, _) async throws in
      #expect(await stores[0].commit(.create(created)) == nil)
      guard case .elsewhere(let node, let origin) = try await stores[1].acquire(1) else {
        Issue.record("the session was acquired")
        return
      }
      #expect(origin == created.origin)
      #expect(node.name == "a" && node.address == "http://a:7946")
      #expect(await stores[1].commit(.append(to: 1, 1...1)) == .fenced)
      #expect(await stores[0].commit(.append(to: 1, 1...1)) == nil)
      #expect(await stores[1].commit(.create(created)) == .conflict)
    }
  }

  @Test
  func `can be acquired when its node's lease has ended, and then refuses that node's changes`()
    async throws
  {
    try await withNodes("a", "b") { (stores, database) async throws in
      await stores[0].commit(.create(created))
      await stores[0].commit(.append(to: 1, 1...2))
      try expireLease("a", database)
      #expect(try await stores[1].acquire(1) == .acquired(created.with([.number(1), .number(2)])))
      #expect(await stores[0].commit(.append(to: 1, 3...3)) == .fenced)
      #expect(await stores[0].commit(.end([.number(1)], .deleted, at: .seconds(1))) == .fenced)
      #expect(await stores[0].release([.number(1): .zero]) == nil)
      #expect(try await stores[0].renew() == false)
      #expect(await stores[0].commit(.create(.new(2))) == .fenced)
      await #expect(throws: StoreError.fenced) { try await stores[0].acquire(1) }
      #expect(await stores[1].commit(.append(to: 1, 3...3)) == nil)
      try await stores[0].join()
      guard case .elsewhere(let node, _) = try await stores[0].acquire(1) else {
        Issue.record("the session was acquired")
        return
      }
      #expect(node.name == "b")
    }
  }

  @Test(arguments: [true, false])
  func `has its node's death reported once, by another node`(isAsked: Bool) async throws {
    try await withNodes("a") { (stores, database) async throws in
      let told = Mutex<[PostgreSQLSessionStore.Event]>([])
      let others = try ["b", "c"].map { name in
        var options = PostgreSQLSessionStore.Options.lasting
        options.name = name
        return try PostgreSQLSessionStore(
          database,
          options,
          report: { event in
            told.withLock { $0.append(event) }
          }
        )
      }
      defer { for store in others { store.close() } }
      let node = try await stores[0].nodes()[0].node
      for store in others { try await store.join() }
      await stores[0].commit(.create(created))
      await stores[0].commit(.create(.new(2)))
      try expireLease("a", database)
      if isAsked { _ = try await others[0].acquire(1) }
      for store in others + stores { _ = try await store.interrupted() }
      _ = try await others[1].acquire(2)
      #expect(told.withLock { $0 } == [.nodeDied(node, sessions: 2)])
      // A node learns of the end of its own lease by itself.
      try expireLease("b", database)
      for store in others { _ = try await store.interrupted() }
      #expect(told.withLock { $0.count } == 1)
    }
  }

  @Test func `is not acquired while its node renews the lease`() async throws {
    try await withNodes("a", "b") { (stores, database) async throws in
      await stores[0].commit(.create(created))
      let number = try await stores[0].nodes()[0].node.number
      let server = try PostgreSQLServer.shared.get()
      // Simulates the commit of a renewal that arrives just after the lease's end.
      try server.run(
        "UPDATE node SET expires = clock_timestamp() + interval '1 ms' WHERE number = \(number)",
        in: database
      )
      try server.run("SELECT pg_sleep(0.002)")
      let lock = try server.open(database)
      try lock.run(
        "BEGIN; UPDATE node SET expires = clock_timestamp() + interval '1 h' WHERE number = \(number)"
      )
      async let acquisition = try await stores[1].acquire(1)
      try await server.waitForLocks(in: database)
      try lock.run("COMMIT")
      guard case .elsewhere = try await acquisition else {
        Issue.record("the session was acquired")
        return
      }
    }
  }

  @Test func `is shared by the nodes with valid leases`() async throws {
    try await withNodes("a", "b", "c") { (stores, database) async throws in
      #expect(try await stores[0].livingNodes().map(\.name) == ["a", "b", "c"])
      #expect(try await stores[0].livingNodes() == stores[0].nodes().map(\.node))
      try expireLease("b", database)
      stores[2].close()
      #expect(try await stores[0].livingNodes().map(\.name) == ["a"])
      let again = try await stores[1].join()
      #expect(try await stores[0].livingNodes().last == again)
    }
  }

  @Test func `ends its former owner's lease when it is acquired, whatever the clock does`()
    async throws
  {
    try await withNodes("a", "b") { (stores, database) async throws in
      await stores[0].commit(.create(created))
      try expireLease("a", database)
      #expect(try await stores[1].acquire(1) == .acquired(created))
      try PostgreSQLServer.shared.get().run(
        "UPDATE node SET expires = clock_timestamp() + interval '1 hour'",
        in: database
      )
      #expect(try await stores[0].renew() == false)
      #expect(try await stores[1].renew())
    }
  }

  @Test func `is acquired with the last commit of its dead node`() async throws {
    try await withNodes("a", "b") { (stores, database) async throws in
      await stores[0].commit(.create(created))
      try expireLease("a", database)
      let server = try PostgreSQLServer.shared.get()
      let lock = try server.open(database)
      try lock.run("BEGIN; UPDATE session SET touched = clock_timestamp()")
      async let acquisition = try await stores[1].acquire(1)
      try await server.waitForLocks(in: database)
      try lock.run("COMMIT")
      #expect(try await acquisition == .acquired(created))
      #expect(try await stores[0].renew() == false)
    }
  }

  @Test func `is released even if its node does not know that it owns it`() async throws {
    try await withNodes("a", "b") { (stores, database) async throws in
      await stores[1].commit(.create(created))
      // Simulates an acquisition whose answer was lost.
      try PostgreSQLServer.shared.get().run(
        "UPDATE session SET epoch = 7, owner = (SELECT number FROM node WHERE name = 'a')",
        in: database
      )
      #expect(await stores[0].release([.number(1): .zero]) == nil)
      #expect(try await stores[1].acquire(1) == .acquired(created))
    }
  }

  @Test func `is not acquired before its node's lease ends`() async throws {
    let server = try PostgreSQLServer.shared.get()
    let holds = "SELECT expires > clock_timestamp() FROM node WHERE name = 'a'"
    var hasHeld = false
    // On a slow machine, the lease may end before the acquisition is attempted.
    for _ in 1...100 where !hasHeld {
      try await withNodes("a", "b") { (stores, database) async throws in
        await stores[0].commit(.create(created))
        try server.run(
          "UPDATE node SET expires = clock_timestamp() + interval '0.5 s' WHERE name = 'a'",
          in: database
        )
        let acquisition = try await stores[1].acquire(1)
        hasHeld = try server.run(holds, in: database) == "t"
        if hasHeld, case .acquired = acquisition { Issue.record("the session was acquired") }
      }
    }
    #expect(hasHeld)
  }

  @Test(arguments: [
    "epoch = epoch + 1", "owner = (SELECT number FROM node WHERE name = 'b')", "owner = NULL",
  ])
  func `accepts no change from a former owner or in another epoch`(change: String) async throws {
    try await withNodes("a", "b") { (stores, database) async throws in
      for number in UInt64(1)...2 { await stores[0].commit(.create(.new(number))) }
      try PostgreSQLServer.shared.get().run("UPDATE session SET \(change)", in: database)
      #expect(await stores[0].commit(.append(to: 1, 1...1)) == .fenced)
      // Keys and a head lead to a different statement.
      #expect(await stores[0].commit(.append(to: 2, 1...1, keys: true, head: .after(1))) == .fenced)
      for number in UInt64(1)...2 {
        #expect(try await stores[1].load(.number(number)) == .new(number))
      }
    }
  }

  @Test func `begins a new epoch with each acquisition`() async throws {
    try await withNodes("a") { (stores, database) async throws in
      await stores[0].commit(.create(created))
      let before = try epoch(database)
      #expect(try await stores[0].acquire(1) == .acquired(created))
      #expect(try epoch(database) == before + 1)
      #expect(await stores[0].commit(.append(to: 1, 1...1)) == nil)
    }
  }

  @Test func `can be acquired once it is released, after all submitted changes are stored`()
    async throws
  {
    try await withNodes("a", "b") { (stores, _) async throws in
      stores[0].commit(.create(created)) { _ in }
      stores[0].commit(.append(to: 1, 1...5)) { _ in }
      #expect(await stores[0].release([.number(1): .seconds(3)]) == nil)
      #expect(await stores[0].commit(.append(to: 1, 6...6)) == .fenced)
      guard case .acquired(let session) = try await stores[1].acquire(1) else {
        Issue.record("the session cannot be acquired")
        return
      }
      #expect(session.sequence == 5)
    }
  }

  @Test func `acquired in doubt is not freed by a release that arrives after its next acquisition`()
    async throws
  {
    try await withNodes("a", "b") { (stores, database) async throws in
      await stores[1].commit(.create(created))
      // The session is assigned to a, whose answer was lost.
      let server = try PostgreSQLServer.shared.get()
      let acquiring =
        "UPDATE session SET epoch = epoch + 1, owner = (SELECT number FROM node WHERE name = 'a')"
      try server.run(acquiring, in: database)
      let lock = try server.open(database)
      try lock.run("BEGIN; SELECT * FROM session FOR UPDATE")
      async let error = await stores[0].release([.number(1): .zero])
      try await server.waitForLocks(in: database)
      try lock.run("\(acquiring); COMMIT")
      #expect(await error == nil)
      let owner = "SELECT coalesce((SELECT name FROM node, session WHERE number = owner), 'nobody')"
      #expect(try server.run(owner, in: database) == "a")
      // A release in time frees the session.
      #expect(await stores[0].release([.number(1): .zero]) == nil)
      #expect(try server.run(owner, in: database) == "nobody")
    }
  }

  @Test func `has ended for every node once it has ended`() async throws {
    try await withNodes("a", "b") { (stores, _) async throws in
      await stores[0].commit(.create(created))
      await stores[0].commit(.create(.new(2)))
      await stores[1].commit(.create(.new(3)))
      let ids: [SessionID] = [.number(1), .number(3)]
      #expect(await stores[0].commit(.end(ids, .deleted, at: .seconds(1))) == .fenced)
      #expect(try await stores[0].acquire(1) == .acquired(created))
      #expect(await stores[0].commit(.end([.number(1)], .deleted, at: .seconds(1))) == nil)
      #expect(try await stores[1].acquire(1) == .ended(.deleted))
      #expect(try await stores[1].acquire(9) == .unknown)
    }
  }

  @Test func `without an owner expires by the database's clock`() async throws {
    try await withNodes("a", "b") { (stores, database) async throws in
      for number in UInt64(1)...4 { await stores[0].commit(.create(.new(number))) }
      await stores[0].release([.number(1): .seconds(100), .number(2): .seconds(10)])
      #expect(try await stores[1].expire(unusedFor: .seconds(60)) == 1)
      #expect(try await stores[1].acquire(1) == .ended(.expired))
      // A dead node's session was last used at its last change, or when it was found interrupted.
      await stores[0].commit(.append(.init(.number(3), after: 0, [.running(1)])))
      let touch = "UPDATE session SET touched = touched - interval '100 s'"
      try PostgreSQLServer.shared.get().run("\(touch) WHERE running", in: database)
      try expireLease("a", database)
      #expect(try await stores[1].expire(unusedFor: .seconds(60)) == 0)
      #expect(try await stores[1].expire(unusedFor: .zero, limit: 2) == 2)
      #expect(try await stores[1].expire(unusedFor: .zero, limit: 2) == 1)
      let rows = "SELECT (SELECT count(*) FROM session) + (SELECT count(*) FROM head)"
      #expect(try PostgreSQLServer.shared.get().run(rows, in: database) == "0")
    }
  }

  @Test func `that has ended keeps no rows, even if some arrive during its end`() async throws {
    try await withNodes("a") { (stores, database) async throws in
      for number in UInt64(1)...2 {
        await stores[0].commit(.create(StoredSession.new(number).with([.number(1, key: "a")])))
      }
      let server = try PostgreSQLServer.shared.get()
      try server.run("CREATE TABLE late AS SELECT * FROM entry", in: database)
      await stores[0].commit(.end([.number(1)], .deleted, at: .seconds(1)))
      try server.run(
        """
        INSERT INTO entry SELECT * FROM late ON CONFLICT DO NOTHING;
        INSERT INTO key SELECT session, 'late', 1, now(), '', 0, 0, 0, 0 FROM late
        """,
        in: database
      )
      #expect(try await stores[0].expire(unusedFor: .zero) == 0)
      for table in ["entry", "key"] {
        let sessions = "SELECT string_agg(DISTINCT session::text, ' ') FROM \(table)"
        let second = "SELECT id::text FROM session"
        #expect(try server.run(sessions, in: database) == server.run(second, in: database))
      }
    }
  }

  @Test func `with running work is found by other nodes when its node has died`() async throws {
    try await withNodes("a", "b") { (stores, database) async throws in
      for number in UInt64(1)...3 {
        var session = StoredSession.new(number)
        if number > 1 { session.head.running = ["load"] }
        await stores[0].commit(.create(session))
      }
      #expect(try await stores[1].interrupted() == [])
      try expireLease("a", database)
      #expect(try await Set(stores[1].interrupted()) == [.number(2), .number(3)])
      _ = try await stores[1].acquire(2)
      #expect(try await stores[1].interrupted() == [.number(3)])
    }
  }

  private func epoch(_ database: String) throws -> Int {
    let text = try PostgreSQLServer.shared.get().run("SELECT epoch FROM session", in: database)
    return try #require(text.flatMap { Int($0) })
  }
}
