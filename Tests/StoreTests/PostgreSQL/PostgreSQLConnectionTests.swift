import FusionPostgreSQLServer
import FusionPostgreSQLSessions
import FusionSessions
import Synchronization
import Testing

/// The connection to the server, and its errors and reports.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.isMissing)))
struct `A connection to PostgreSQL` {
  @Test func `is restored after it was cut, and nothing is lost`() async throws {
    let database = try PostgreSQLServer.shared.get().emptySchema()
    let events = Mutex<[PostgreSQLSessionStore.Event]>([])
    let store = try PostgreSQLSessionStore(
      database,
      .lasting,
      report: { event in events.withLock { $0.append(event) } }
    )
    defer { store.close() }
    try await store.join()
    await store.commit(.create(.new(1)))
    for sequence in 1...3 {
      try cut(database)
      #expect(await store.commit(.append(to: 1, sequence...sequence)) == nil)
    }
    try cut(database)
    #expect(try await store.renew())
    #expect(try await store.load(.number(1))?.sequence == 3)
  }

  @Test func `that is cut during a commit leaves the change in doubt, and a read settles it`()
    async throws
  {
    try await withNodes("a") { (stores, database) async throws in
      await stores[0].commit(.create(.new(1)))
      let server = try PostgreSQLServer.shared.get()
      let lock = try server.open(database)
      try lock.run("BEGIN; SELECT * FROM session FOR UPDATE")
      async let error = await stores[0].commit(.append(to: 1, 1...1))
      try await server.waitForLocks(in: database)
      let others = PostgreSQLServer.others
      try server.run(
        "SELECT pg_terminate_backend(pid) \(others) AND wait_event_type = 'Lock'",
        in: database
      )
      #expect(await error == .inDoubt)
      try lock.run("COMMIT")
      #expect(try await stores[0].acquire(1) == .acquired(.new(1)))
      #expect(await stores[0].commit(.append(to: 1, 1...1)) == nil)
    }
  }

  @Test func `leaves a creation that did not reach a standby in doubt, and grants no lease`()
    async throws
  {
    let server = try PostgreSQLServer()
    let database = try server.emptySchema()
    let store = try PostgreSQLSessionStore(database, .lasting)
    defer { store.close() }
    try await store.join()
    try server.run("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
    try server.run("SELECT pg_reload_conf()")
    let connection = try server.open(database)
    // The server adopts the setting with a delay: retries until a commit waits.
    for number in UInt64(1)... {
      let session = StoredSession.new(number).with([.number(1)])
      let (error, hasWaited) = try await cancellingWait(connection) {
        await store.commit(.create(session))
      }
      #expect(error == (hasWaited ? .inDoubt : nil))
      if hasWaited { break }
    }
    // A promoted standby may have an older lease, which other nodes would find ended.
    // On a busy machine, the store may have timed out before the server was made to give up.
    await #expect {
      _ = try await cancellingWait(connection) { try await store.renew() }
    } throws: {
      if case StoreError.unreachable = $0 { true } else { false }
    }
  }

  /// Cancels the server's waits for a standby until the work is done.
  private func cancellingWait<Found: Sendable>(
    _ connection: SQLConnection,
    _ work: @escaping @Sendable () async throws -> Found
  ) async throws -> (found: Found, hasWaited: Bool) {
    let cancelling = """
      SELECT count(pg_cancel_backend(pid)) \(PostgreSQLServer.others) AND wait_event = 'SyncRep'
      """
    let isOver = Atomic(false)
    async let found = {
      defer { isOver.store(true, ordering: .relaxed) }
      return try await work()
    }()
    var hasWaited = false
    while !hasWaited, !isOver.load(ordering: .relaxed) {
      hasWaited = try connection.run(cancelling) != "0"
      await Task.yield()
    }
    return (try await found, hasWaited)
  }

  @Test func `ignores unrelated warnings, and reports them once`() async throws {
    let server = try PostgreSQLServer.shared.get()
    let database = try server.emptySchema()
    let told = Mutex<[PostgreSQLSessionStore.Event]>([])
    let store = try PostgreSQLSessionStore(
      database,
      .lasting,
      report: { event in told.withLock { $0.append(event) } }
    )
    defer { store.close() }
    let tables = ["node", "session", "service"].map {
      "CREATE TRIGGER warn BEFORE INSERT OR UPDATE ON \($0) FOR EACH ROW EXECUTE FUNCTION warn();"
    }
    try server.run(
      """
      CREATE FUNCTION warn() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE WARNING 'vacuum within % transactions', txid_current(); RETURN NEW; END $$;
      \(tables.joined())
      """,
      in: database
    )
    try await store.join()
    #expect(try await store.renew())
    #expect(await store.commit(.create(.new(1))) == nil)
    #expect(await store.commit(.create(StoredSession.new(2).with([.number(1)]))) == nil)
    #expect(await store.commit(.append(to: 1, 1...1)) == nil)
    #expect(await store.commit(.probe) == nil)
    #expect(try await store.acquire(1) == .acquired(StoredSession.new(1).with([.number(1)])))
    #expect(await store.release([.number(1): .zero]) == nil)
    let events = told.withLock { $0 }
    guard events.count == 1, case .warned(let text) = events[0] else {
      Issue.record("told: \(events)")
      return
    }
    #expect(text.hasPrefix("vacuum within "))
  }

  @Test func `whose server refuses a read is unreachable, and marks no session as damaged`()
    async throws
  {
    try await withNodes("a") { (stores, database) async throws in
      await stores[0].commit(.create(.new(1)))
      let server = try PostgreSQLServer.shared.get()
      try server.run("ALTER TABLE entry RENAME TO moved", in: database)
      let error = await #expect(throws: StoreError.self) { try await stores[0].acquire(1) }
      guard case .unreachable(let text)? = error else {
        Issue.record("\(error.map { "\($0)" } ?? "the session was read")")
        return
      }
      #expect(text == #"relation "entry" does not exist (SQLSTATE 42P01)"#)
      try server.run("ALTER TABLE moved RENAME TO entry", in: database)
      #expect(try await stores[0].acquire(1) == .acquired(.new(1)))
    }
  }

  @Test func `is restored when a stopped server comes back`() async throws {
    let server = try PostgreSQLServer()
    let events = Mutex<[PostgreSQLSessionStore.Event]>([])
    let store = try PostgreSQLSessionStore(
      server.emptySchema(),
      .lasting,
      report: { event in events.withLock { $0.append(event) } }
    )
    defer { store.close() }
    try await store.join()
    await store.commit(.create(.new(1)))
    try server.stop()
    guard case .unreachable? = await store.commit(.append(to: 1, 1...1)) else {
      Issue.record("a stopped server accepted a change")
      return
    }
    await #expect(throws: StoreError.self) { try await store.renew() }
    try server.start()
    var error: StoreError?
    repeat { error = await store.commit(.append(to: 1, 1...1)) } while error != nil
    #expect(try await store.load(.number(1))?.sequence == 1)
    let told = events.withLock { $0 }
    #expect(told.count == 2)
    #expect(told.last == .reconnected)
  }

  @Test func `never shows its password in an error`() async throws {
    let strings = [
      "postgres://user:geheim@/nothing?host=/nowhere", "postgres://user:geh/eim@localhost/x",
      "postgres://user:geh@eim@localhost/x", "postgres://user:%zzgeheim@localhost/x",
      "postgres://user:geh?eim@localhost/x", "postgres://user:geheim@localhost:1/x",
      "postgres://user:12/geheim@localhost/x",
    ]
    for string in strings {
      let error = #expect(throws: PostgreSQLOpenError.self) { try PostgreSQLSessionStore(string) }
      let text = "\(error.map { "\($0)" } ?? "") \(PostgreSQLSessionStore.description(of: string))"
      #expect(!text.contains("geh") && !text.contains("eim"), "\(text)")
    }
    let description = PostgreSQLSessionStore.description(
      of: "postgres://user:geheim@one:1,two:2/sessions?sslmode=require"
    )
    #expect(description == "postgres://user@one:1,two:2/sessions")
  }

  @Test func `can be opened by several nodes at once on an empty database`() async throws {
    let database = try PostgreSQLServer.shared.get().emptySchema()
    let secrets = try await withThrowingTaskGroup { group in
      for _ in 1...6 {
        group.addTask {
          let store = try PostgreSQLSessionStore(database)
          defer { store.close() }
          return try store.inventory().secret
        }
      }
      return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
    }
    #expect(secrets.count == 1)
    #expect(secrets.first?.count == 32)
  }

  @Test func `is refused if the tables are of a newer version or foreign`() throws {
    let server = try PostgreSQLServer.shared.get()
    var database = try server.emptySchema()
    try PostgreSQLSessionStore(database).close()
    try server.run("UPDATE service SET version = 99", in: database)
    var error = #expect(throws: PostgreSQLOpenError.self) { try PostgreSQLSessionStore(database) }
    #expect(error.map { "\($0)" }?.contains("newer shape 99") == true)
    database = try server.emptySchema()
    try server.run("CREATE TABLE session (name text)", in: database)
    error = #expect(throws: PostgreSQLOpenError.self) { try PostgreSQLSessionStore(database) }
    #expect(error.map { "\($0)" }?.contains("a database of its own") == true)
    #expect(try server.run("SELECT count(*) FROM service", in: database) == "0")
  }

  /// Ends all connections of the store.
  private func cut(_ database: String) throws {
    let connection = try PostgreSQLServer.shared.get().open(database)
    try connection.run("SELECT count(pg_terminate_backend(pid)) \(PostgreSQLServer.others)")
    while try connection.run("SELECT count(*) \(PostgreSQLServer.others)") != "0" {}
  }
}
