import FusionPostgreSQLServer
import FusionPostgreSQLSessions
import FusionSessions
import Testing

/// The sessions in a database as tools read and change them, beside its nodes.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.isMissing)))
struct `An archive in PostgreSQL` {
  /// Stores a session with history, and a session that has just been created.
  private func fill(_ store: PostgreSQLSessionStore) async {
    await store.commit(.create(.new(1)))
    await store.commit(.append(to: 1, 1...3, keys: true))
    await store.commit(.append(to: 1, 4...4, head: .after(4, running: ["tick"])))
    await store.commit(.append(to: 1, 5...6))
    await store.commit(.create(.new(2, at: .seconds(50))))
  }

  @Test func `lists the sessions while a node owns them`() async throws {
    try await withNodes("a") { (stores, database) async throws in
      let archive = try PostgreSQLSessionArchive(database)
      #expect(try archive.summaries() == [])
      await fill(stores[0])
      let summaries = try archive.summaries()
      #expect(summaries.map(\.id) == [.number(1), .number(2)])
      #expect(summaries.map(\.viewModel) == ["counter", "counter"])
      #expect(summaries.map(\.version) == [7, 1])
      #expect(summaries.map(\.created) == [.seconds(0), .seconds(50)])
      #expect(summaries.map(\.used) == [.seconds(6), .seconds(50)])
      #expect(summaries.map(\.stateSize) == [11, 11])
      #expect(summaries.map(\.entries) == [6, 0])
      #expect(summaries[0].logSize > 6 * (11 + 20))
      #expect(summaries[1].logSize == 0)
    }
  }

  @Test func `reads a session as the store does, with its whole log`() async throws {
    try await withNodes("a") { (stores, database) async throws in
      await fill(stores[0])
      let archive = try PostgreSQLSessionArchive(database)
      for number in 1...2 as ClosedRange<UInt64> {
        let session = try archive.history(of: .number(number))?.session
        #expect(try await session == stores[0].load(.number(number)))
      }
      let log = (1...6).map { LogEntry.number($0, key: $0 < 4 ? "key \($0)" : nil) }
      #expect(try archive.history(of: .number(1))?.log == log)
      #expect(try archive.history(of: .number(2))?.log == [])
      #expect(try archive.history(of: .number(3)) == nil)
    }
  }

  @Test func `lists the nodes without becoming a node itself`() async throws {
    try await withNodes("a", "b") { (stores, database) async throws in
      await fill(stores[0])
      await stores[1].commit(.create(.new(3)))
      await stores[0].release([.number(2): .zero])
      let server = try PostgreSQLServer.shared.get()
      try expireLease("b", database)
      let archive = try PostgreSQLSessionArchive(database)
      let (nodes, unowned) = try archive.nodes()
      #expect(nodes.map(\.node.name) == ["a", "b"])
      #expect(nodes.map(\.node.address) == ["http://a:7946", "http://b:7946"])
      #expect(nodes.map(\.sessions) == [1, 1])
      #expect(nodes.map { $0.leaseLeft > .zero } == [true, false])
      #expect(unowned == 1)
      #expect(try archive.livingNodes().map(\.name) == ["a"])
      // Only a node may declare a lease ended.
      #expect(try server.run("SELECT count(*) FROM node WHERE gone IS NULL", in: database) == "2")
      #expect(try await stores[0].renew())
    }
  }

  @Test func `names an unreadable session in the error`() async throws {
    try await withNodes("a") { (stores, database) async throws in
      await fill(stores[0])
      try PostgreSQLServer.shared.get().run("UPDATE entry SET body = 'x'", in: database)
      let error = #expect(throws: StoreError.self) {
        try PostgreSQLSessionArchive(database).read { _ in
        } _: { _, _, _ in
        }
      }
      guard case .damaged(let text) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(text.hasPrefix("session \(SessionID.number(1)): "))
      var damaged: [SessionID] = []
      let archive = try PostgreSQLSessionArchive(database)
      try archive.read { _ in
      } wanted: { _ in
        true
      } damaged: { _, id, _ in
        damaged.append(id)
      } _: { _, _, _ in
      }
      #expect(damaged.first == .number(1))
      #expect(try archive.count() >= damaged.count)
    }
  }

  @Test func `creates no tables unless told to, and refuses tables of another version`()
    async throws
  {
    let empty = try PostgreSQLServer.shared.get().emptySchema()
    let missing = #expect(throws: PostgreSQLOpenError.self) { try PostgreSQLSessionArchive(empty) }
    #expect(missing?.description.contains(" has no tables yet: ") == true)
    let server = try PostgreSQLServer.shared.get()
    #expect(try server.run("SELECT to_regclass('service')", in: empty) == nil)
    let archive = try PostgreSQLSessionArchive(empty, makesTables: true)
    #expect(try archive.put(.new(1), replacing: false) == .done)
    #expect(try PostgreSQLSessionArchive(empty).summaries().map(\.id) == [.number(1)])
    try await withNodes("a") { (_, database) async throws in
      try server.run("UPDATE service SET version = 99", in: database)
      let newer = #expect(throws: PostgreSQLOpenError.self) {
        try PostgreSQLSessionArchive(database)
      }
      #expect(newer?.description.contains("are of the newer shape 99") == true)
      try server.run("UPDATE service SET version = 0", in: database)
      let older = #expect(throws: PostgreSQLOpenError.self) {
        try PostgreSQLSessionArchive(database)
      }
      #expect(older?.description.contains("written by an older version") == true)
    }
  }

  @Test func `reads from a read-only server, unless it is told to find the primary`() async throws {
    try await withNodes("a") { (stores, database) async throws in
      await fill(stores[0])
      let standby = database.replacing(
        "search_path",
        with: "default_transaction_read_only%3Don%20-csearch_path"
      )
      let archive = try PostgreSQLSessionArchive(standby, onlyToRead: true)
      #expect(try archive.summaries().map(\.id) == [.number(1), .number(2)])
      #expect(try archive.history(of: .number(1))?.log.count == 6)
      #expect(try archive.nodes().nodes.count == 1)
      for (string, onlyToRead) in [
        (standby, false), (standby + "&target_session_attrs=read-write", true),
      ] {
        let error = #expect(throws: PostgreSQLOpenError.self) {
          try PostgreSQLSessionArchive(string, onlyToRead: onlyToRead)
        }
        #expect(error?.description.contains("session is read-only") == true)
      }
    }
  }

  @Test func `imports a session that a node can then acquire`() async throws {
    try await withNodes("a") { (stores, database) async throws in
      await fill(stores[0])
      let archive = try PostgreSQLSessionArchive(database)
      var session = try #require(try archive.history(of: .number(1))?.session)
      session.id = .number(9)
      #expect(try archive.put(session, replacing: false) == .done)
      #expect(try archive.put(session, replacing: false) == .exists)
      #expect(try archive.nodes().unowned == 1)
      #expect(try await stores[0].interrupted() == [])
      #expect(try await stores[0].acquire(9) == .acquired(session))
      #expect(await stores[0].commit(.append(to: 9, 7...7)) == nil)
    }
  }

  @Test func `imports a session with running work as interrupted, so that a node resumes it`()
    async throws
  {
    try await withNodes("a") { (stores, database) async throws in
      var session = StoredSession.new(9)
      session.head = .after(0, running: ["tick"])
      let archive = try PostgreSQLSessionArchive(database)
      #expect(try archive.put(session, replacing: false) == .done)
      #expect(try await stores[0].interrupted() == [.number(9)])
    }
  }

  @Test func `changes no session of a living node`() async throws {
    try await withNodes("a") { (stores, database) async throws in
      await fill(stores[0])
      let archive = try PostgreSQLSessionArchive(database)
      let node = try archive.nodes().nodes[0].node
      #expect(try archive.put(.new(1), replacing: true) == .held(node))
      #expect(try archive.delete(.number(1)) == .held(node))
      #expect(await stores[0].commit(.append(to: 1, 7...7)) == nil)
      #expect(try archive.history(of: .number(1))?.session.sequence == 7)
    }
  }

  @Test(arguments: [true, false])
  func `replaces a session without a living owner`(isReleased: Bool) async throws {
    try await withNodes("a", "b") { (stores, database) async throws in
      await fill(stores[0])
      if isReleased {
        await stores[0].release([.number(1): .zero])
      } else {
        try expireLease("a", database)
      }
      let archive = try PostgreSQLSessionArchive(database)
      let epoch = "SELECT max(epoch) FROM session"
      let server = try PostgreSQLServer.shared.get()
      #expect(try archive.put(.new(1), replacing: false) == .exists)
      #expect(try archive.put(.new(1), replacing: true) == .done)
      #expect(try server.run(epoch, in: database) == "2")
      #expect(await stores[0].commit(.append(to: 1, 7...7)) == .fenced)
      #expect(try await stores[1].acquire(1) == .acquired(.new(1)))
      #expect(try server.run("SELECT count(*) FROM entry", in: database) == "0")
    }
  }

  @Test func `deletes a session without an owner, and imports it again`() async throws {
    try await withNodes("a") { (stores, database) async throws in
      await fill(stores[0])
      await stores[0].release([.number(1): .zero])
      let archive = try PostgreSQLSessionArchive(database)
      #expect(try archive.delete(.number(1)) == .done)
      #expect(try archive.delete(.number(1)) == .unknown)
      #expect(try await stores[0].acquire(1) == .ended(.deleted))
      #expect(try archive.put(.new(1), replacing: false) == .done)
      #expect(try await stores[0].acquire(1) == .acquired(.new(1)))
    }
  }
}
