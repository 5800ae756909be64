import FusionPostgreSQLServer
import FusionPostgreSQLSessions
import FusionSessions
import Testing

/// Runs a test with stores that are nodes of one empty database, with leases that outlast the test.
func withNodes(
  _ names: String...,
  test: ([PostgreSQLSessionStore], _ database: String) async throws -> Void
) async throws {
  let database = try PostgreSQLServer.shared.get().emptySchema()
  let stores = try names.map { name in
    var options = PostgreSQLSessionStore.Options.lasting
    options.name = name
    options.address = "http://\(name):7946"
    return try PostgreSQLSessionStore(database, options)
  }
  defer { for store in stores { store.close() } }
  for store in stores { try await store.join() }
  try await test(stores, database)
}

/// Makes a node's lease look as if it had not been renewed for a long time.
func expireLease(_ name: String, _ database: String) throws {
  try PostgreSQLServer.shared.get().run(
    "UPDATE node SET expires = clock_timestamp() - interval '1 s' WHERE name = '\(name)'",
    in: database
  )
}

extension PostgreSQLSessionStore.Options {
  /// The options of a node whose lease outlasts any test.
  static var lasting: Self {
    var options = Self()
    options.leaseTime = .seconds(3_600)
    // Waits for a lock that a test holds, however long the test takes.
    options.timeout = .seconds(600)
    return options
  }
}

extension SharedSessionStore {
  @discardableResult
  func join() async throws -> Node {
    try await withCheckedContinuation { join($0.answer) }.get()
  }

  func renew() async throws -> Bool {
    try await withCheckedContinuation { renew($0.answer) }.get()
  }

  func acquire(_ number: UInt64) async throws -> Acquisition {
    try await acquire(.number(number))
  }

  func acquire(_ id: SessionID) async throws -> Acquisition {
    try await withCheckedContinuation { acquire(id, $0.answer) }.get()
  }

  @discardableResult
  func release(_ idle: [SessionID: Duration]) async -> StoreError? {
    await withCheckedContinuation { release(idle, $0.answer) }
  }

  func expire(unusedFor time: Duration, limit: Int = 100) async throws -> Int {
    try await withCheckedContinuation { expire(unusedFor: time, limit: limit, $0.answer) }.get()
  }

  func nodes() async throws -> [NodeStatus] {
    try await withCheckedContinuation { nodes($0.answer) }.get()
  }

  func livingNodes() async throws -> [Node] {
    try await withCheckedContinuation { livingNodes($0.answer) }.get()
  }

  func interrupted() async throws -> [SessionID] {
    try await withCheckedContinuation { interrupted(after: 0, $0.answer) }.get().sessions.map(\.id)
  }
}

extension CheckedContinuation where E == Never, T: Sendable {
  fileprivate var answer: @Sendable (T) -> Void { { resume(returning: $0) } }
}
