import FusionPostgreSQLServer
import FusionPostgreSQLSessions
import FusionSessions
import Synchronization
import Testing

/// A node whose commits wait for a missing standby.
@Suite(
  .enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.isMissing)),
  .timeLimit(.minutes(5))
)
struct `A node whose commits wait for a standby` {
  private let server: PostgreSQLServer
  private let database: String

  init() throws {
    server = try PostgreSQLServer()
    database = try server.emptySchema()
  }

  private func makeStore(
    patience: Duration = .seconds(1),
    _ report: @escaping @Sendable (PostgreSQLSessionStore.Event) -> Void = { _ in }
  ) throws -> PostgreSQLSessionStore {
    var options = PostgreSQLSessionStore.Options.lasting
    options.leasePatience = patience
    return try PostgreSQLSessionStore(database, options, report: report)
  }

  private func await(standby: String?) throws {
    let setting = standby.map { "SET synchronous_standby_names = '\($0)'" }
    try server.run("ALTER SYSTEM \(setting ?? "RESET synchronous_standby_names")")
    try server.run("SELECT pg_reload_conf()")
  }

  @Test func `reports it once, and leaves no row behind for its attempts to join`() async throws {
    let events = Lines()
    let store = try makeStore(patience: .milliseconds(200)) { events.add($0) }
    let other = try makeStore(patience: .milliseconds(200))
    defer { for store in [store, other] { store.close() } }
    let first = try await other.join()
    try self.await(standby: "nobody")
    // The server adopts the setting with a delay.
    while (try? await other.renew()) == true {}
    for _ in 1...6 {
      await #expect(throws: StoreError.self) { try await store.join() }
      // Reads are answered all the while.
      _ = try await store.livingNodes()
    }
    while !events.all.contains(.waitsForStandby) { await Task.yield() }
    try self.await(standby: nil)
    var second: Node?
    while second == nil { second = try? await store.join() }
    #expect(try await store.nodes().map(\.node) == [first, #require(second)])
    let told = events.all
    #expect(told.count == 3)
    guard case .unreachable? = told.first else { return #expect(Bool(false), "\(told)") }
    #expect(told.dropFirst() == [.waitsForStandby, .reconnected])
  }

  @Test func `joins under another number if its first attempt was declared ended`() async throws {
    let store = try makeStore()
    defer { store.close() }
    try self.await(standby: "nobody")
    // Each attempt that succeeds has ended the one before.
    while (try? await store.join()) != nil {}
    try self.await(standby: nil)
    let connection = try server.open(database)
    while try connection.run(
      "UPDATE node SET gone = clock_timestamp() WHERE gone IS NULL RETURNING number"
    ) == nil {}
    let last = try connection.run("SELECT max(number) FROM node")
    let node = try await store.join()
    #expect(Int64(last ?? "") ?? .max < node.number)
    #expect(try await store.renew())
  }

  @Test(arguments: [true, false])
  func `joins under another number if a promoted server lacks its attempt`(
    isTaken: Bool
  ) async throws {
    let store = try makeStore()
    let other = try makeStore()
    defer { for store in [store, other] { store.close() } }
    try self.await(standby: "nobody")
    while (try? await store.join()) != nil {}
    try self.await(standby: nil)
    let connection = try server.open(database)
    var attempted: String?
    while attempted == nil {
      attempted = try connection.run("DELETE FROM node WHERE gone IS NULL RETURNING number")
    }
    let number = try #require(attempted.flatMap(Int64.init))
    try connection.run(
      "SELECT setval(pg_get_serial_sequence('node', 'number'), \(number), FALSE)"
    )
    let nodes =
      isTaken
      ? [try await other.join(), try await store.join()]
      : [try await store.join(), try await other.join()]
    #expect(nodes.map(\.number) == [number, number + 1])
    for store in [store, other] { #expect(try await store.renew()) }
    #expect(try await store.livingNodes() == nodes)
  }
}

/// The reported events, in order.
private final class Lines: Sendable {
  private let events = Mutex<[PostgreSQLSessionStore.Event]>([])

  var all: [PostgreSQLSessionStore.Event] { events.withLock(\.self) }

  func add(_ event: PostgreSQLSessionStore.Event) {
    events.withLock { $0.append(event) }
  }
}
