import FusionPostgreSQLServer
import FusionPostgreSQLSessions
import FusionSessions
import Testing

/// Copies of another store's sessions into a database, even while nodes use it.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.isMissing)))
struct `A copy into a database` {
  private let secret = [UInt8](repeating: 7, count: 32)
  private let database: String

  init() throws {
    database = try PostgreSQLServer.shared.get().emptySchema()
  }

  private func begin(
    _ database: String,
    replacing: Bool = false
  ) throws -> DatabaseCopy {
    let archive = try PostgreSQLSessionArchive(database, makesTables: true)
    return try DatabaseCopy(into: archive, secret: secret, replacing: replacing)
  }

  private func ids(in database: String) throws -> [SessionID] {
    try PostgreSQLSessionArchive(database).summaries().map(\.id)
  }

  @Test func `shows all sessions at once when it is finished, and nodes can acquire them`()
    async throws
  {
    try await withNodes("a") { (stores, database) async throws in
      let session = StoredSession.new(1).with((1...3).map { .number($0) })
      let copy = try begin(database)
      #expect(try copy.add(session) == .done)
      #expect(try copy.add(.new(2)) == .done)
      #expect(try await stores[0].acquire(1) == .unknown)
      try copy.finish()
      #expect(try await stores[0].acquire(1) == .acquired(session))
      #expect(try await stores[0].acquire(2) == .acquired(.new(2)))
      #expect(await stores[0].commit(.append(to: 1, 4...4)) == nil)
    }
  }

  @Test func `includes as much of the newest history as a database keeps`() throws {
    var session = StoredSession.new(1)
    session.head = .after(1_000)
    session.entries = (1_001...1_003).map { .number($0, key: "key \($0)") }
    session.keys = session.entries.compactMap(\.key)
    var log = (1...1_003).map { LogEntry.number($0, key: $0 > 1_000 ? "key \($0)" : nil) }
    // The entries before a gap are useless.
    log.remove(at: 899)
    let copy = try begin(database)
    #expect(try copy.add(session, log: log) == .done)
    log = (1...1_003).map { LogEntry.number($0, key: $0 > 1_000 ? "key \($0)" : nil) }
    session.id = .number(2)
    #expect(try copy.add(session, log: log) == .done)
    try copy.finish()
    let archive = try PostgreSQLSessionArchive(database)
    for (number, first) in [(1, 901), (2, 745)] as [(UInt64, Int)] {
      let found = try #require(try archive.history(of: .number(number)))
      #expect(found.session.entries == session.entries)
      #expect(found.session.keys.map(\.key) == ["key 1001", "key 1002", "key 1003"])
      #expect(found.log == log.filter { $0.sequence >= first })
    }
  }

  @Test func `leaves nothing if it is not finished`() throws {
    do {
      let copy = try begin(database)
      #expect(try copy.add(.new(1)) == .done)
    }
    #expect(try ids(in: database) == [])
    let next = try begin(database)
    #expect(try next.add(.new(1)) == .done)
    try next.finish()
    #expect(try ids(in: database) == [.number(1)])
  }

  @Test func `does not overwrite a session, unless told to replace`() throws {
    let archive = try PostgreSQLSessionArchive(database, makesTables: true)
    #expect(try archive.put(.new(2), replacing: false) == .done)
    do {
      let copy = try begin(database)
      #expect(try copy.add(.new(1)) == .done)
      #expect(try copy.add(.new(2)) == .exists)
    }
    #expect(try ids(in: database) == [.number(2)])
    let later = StoredSession.new(2, at: .seconds(9))
    let copy = try begin(database, replacing: true)
    #expect(try copy.add(.new(1)) == .done)
    #expect(try copy.add(later) == .done)
    try copy.finish()
    #expect(try ids(in: database) == [.number(1), .number(2)])
    #expect(try archive.history(of: .number(2))?.session == later)
  }

  @Test func `overwrites no session of a living node`() async throws {
    try await withNodes("a") { (stores, database) async throws in
      await stores[0].commit(.create(.new(1)))
      let node = try #require(try PostgreSQLSessionArchive(database).livingNodes().first)
      let copy = try begin(database, replacing: true)
      #expect(try copy.add(.new(1)) == .held(node))
    }
  }

  /// The state of a database before the copy.
  enum Past: CaseIterable {
    case none, stoppedNode, diedNode, livingNode, session, sameSecret

    /// Whether no node can have read a secret other than that of the copied store.
    var keepsDigests: Bool { [.none, .stoppedNode, .sameSecret].contains(self) }
  }

  @Test(arguments: Past.allCases)
  func `keeps the digests of idempotency keys if no node has read another secret`(
    past: Past
  ) async throws {
    let store = try PostgreSQLSessionStore(database, .lasting)
    defer { store.close() }
    let own = try store.inventory().secret
    let server = try PostgreSQLServer.shared.get()
    if past != .none, past != .session { try await store.join() }
    switch past {
    case .none, .livingNode: break
    case .stoppedNode: store.close()
    case .diedNode: try server.run("UPDATE node SET expires = clock_timestamp()", in: database)
    case .session:
      let archive = try PostgreSQLSessionArchive(database)
      #expect(try archive.put(.new(9), replacing: false) == .done)
    case .sameSecret:
      try server.run("UPDATE service SET secret = decode(repeat('07', 32), 'hex')", in: database)
    }
    var session = StoredSession.new(1).with([.number(1, key: "b")])
    session.keys.insert(.to("a", 0), at: 0)
    let copy = try begin(database)
    #expect(try copy.add(session) == .done)
    try copy.finish()
    let next = try PostgreSQLSessionStore(database, .lasting)
    defer { next.close() }
    #expect(try next.inventory().secret == (past.keepsDigests ? secret : own))
    let found = try #require(try await next.load(.number(1)))
    #expect(found.keys.map(\.key) == ["a", "b"])
    let digests = session.keys.map { past.keepsDigests ? $0.digest : [] }
    #expect(found.keys.map(\.digest) == digests)
    #expect(found.entries.map(\.key?.digest) == digests.suffix(1))
  }

  @Test func `lets no node read the secret that it is about to replace`() throws {
    let server = try PostgreSQLServer.shared.get()
    let reading = "BEGIN; LOCK TABLE service IN ACCESS SHARE MODE NOWAIT; COMMIT"
    let copy = try begin(database)
    #expect(throws: PostgreSQLServer.Failure.self) { try server.run(reading, in: database) }
    var options = PostgreSQLSessionStore.Options()
    options.timeout = .seconds(2)
    let error = #expect(throws: PostgreSQLOpenError.self) {
      try PostgreSQLSessionStore(database, options)
    }
    #expect(error?.isTransient == true)
    #expect(
      error?.description.hasPrefix("another process has the tables in PostgreSQL at ") == true
    )
    try copy.finish()
    try server.run(reading, in: database)
    let beside = try begin(database, replacing: true)
    try server.run(reading, in: database)
    extendLifetime(beside)
  }

  @Test func `is in doubt only if the connection ends during the commit`() throws {
    try begin(database).finish()
    try endConnection("BEFORE INSERT")
    let copy = try begin(database)
    let error = #expect(throws: StoreError.self) { try copy.add(.new(1)) }
    guard case .unreachable = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    try endConnection("AFTER INSERT", "DEFERRABLE INITIALLY DEFERRED")
    let doubtful = try begin(database)
    #expect(try doubtful.add(.new(1)) == .done)
    #expect(throws: StoreError.inDoubt) { try doubtful.finish() }
    #expect(try ids(in: database) == [])
  }

  /// Makes the server end the connection that inserts a session, either at once or during its commit.
  private func endConnection(_ event: String, _ time: String = "") throws {
    try PostgreSQLServer.shared.get().run(
      """
      DROP TRIGGER IF EXISTS ending ON session;
      CREATE OR REPLACE FUNCTION end_connection() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$;
      CREATE \(time.isEmpty ? "" : "CONSTRAINT") TRIGGER ending \(event) ON session \(time)
      FOR EACH ROW EXECUTE FUNCTION end_connection()
      """,
      in: database
    )
  }
}
