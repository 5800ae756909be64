import FusionPostgreSQLServer
import FusionPostgreSQLSessions
import FusionSessions
import FusionStoreDoubles
import Synchronization

/// Nodes that share a database, and the same nodes in memory, on a clock that the test advances.
struct ComparedStores {
  static let names = ["a", "b", "c"]

  let memory: SharedMemory
  private let stores: [PostgreSQLSessionStore]
  private let models: [SharedMemoryStore]
  private let clock: VirtualClock
  private let connection: SQLConnection

  init() async throws {
    let clock = VirtualClock()
    let database = try PostgreSQLServer.shared.get().emptySchema()
    connection = try PostgreSQLServer.shared.get().open(database)
    // The store's statements find this function before the server's own.
    try connection.run(
      """
      CREATE TABLE clock AS SELECT to_timestamp(\(clock.seconds)) AS now;
      CREATE FUNCTION clock_timestamp() RETURNS timestamptz LANGUAGE sql AS 'SELECT now FROM clock'
      """
    )
    let end = "&application_name"
    let address = database.replacing(end, with: "%2Cpg_catalog\(end)")
    stores = try Self.names.map { name in
      var options = PostgreSQLOptions.lasting
      options.name = name
      options.leaseTime = SharedMemory.leaseTime
      return try PostgreSQLSessionStore(address, options)
    }
    let memory = SharedMemory { clock.now }
    models = Self.names.map { SharedMemoryStore(memory, name: $0) }
    self.memory = memory
    self.clock = clock
    for store in stores { try await store.join() }
    for model in models { try await model.join() }
  }

  func close() {
    for store in stores { store.close() }
  }

  func load(_ id: SessionID) async throws -> StoredSession? { try await stores[0].load(id) }

  /// Returns the answers of the database and of the model.
  func take(_ step: StoreStep, at node: Int) async throws -> (StepAnswer, StepAnswer) {
    switch step {
    case .pass(let time):
      clock.advance(by: time)
      try connection.run("UPDATE clock SET now = to_timestamp(\(clock.seconds))")
    case .loseAcquisition(let id):
      let number = models[node].number
      if case .success(.acquired) = models[node].grant(id, to: number).result {
        try connection.run(
          """
          UPDATE session SET owner = \(number), epoch = epoch + 1, released = NULL, interrupted = NULL,
            touched = to_timestamp(\(clock.seconds)) WHERE id = '\\x\(hexadecimal(id))'
          """
        )
      }
    default: return (await step.answer(of: stores[node]), await step.answer(of: models[node]))
    }
    return (.nothing, .nothing)
  }

  /// Returns the owner, the epoch and the last use of each session, in the database and in the model.
  func rows() throws -> (String?, String?) {
    let rows = try connection.run(
      """
      SELECT string_agg(format('%s: %s in %s, %s', encode(id, 'hex'), coalesce(owner, 0), epoch,
        (extract(epoch FROM coalesce(released, touched)) * 1000)::bigint), '; ' ORDER BY id)
      FROM session
      """
    )
    let expected = memory.holdings.sorted { $0.key < $1.key }.map { id, holding in
      let used = Int64(holding.used / .milliseconds(1))
      return "\(hexadecimal(id)): \(holding.owner ?? 0) in \(holding.epoch), \(used)"
    }
    return (rows, expected.isEmpty ? nil : expected.joined(separator: "; "))
  }

  private func hexadecimal(_ id: SessionID) -> String {
    [id.high, id.low].map { number in
      let digits = String(number, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

/// A clock that the test advances.
private final class VirtualClock: Sendable {
  private let time = Mutex(Duration.seconds(1_000))

  var now: Duration { time.withLock { $0 } }
  var seconds: Double { now / .seconds(1) }

  func advance(by duration: Duration) { time.withLock { $0 += duration } }
}

extension StoreStep {
  fileprivate func answer(of store: any SharedSessionStore) async -> StepAnswer {
    do {
      switch self {
      case .commit(let changes): return .commits(await store.commitTogether(changes))
      case .acquire(let id): return .acquisition(try await store.acquire(id))
      case .release(let idle): return .commits([await store.release(idle)])
      case .join: return .node(try await store.join())
      case .renew: return .renewed(try await store.renew())
      case .nodes: return .nodes(try await store.nodes().filter { $0.leaseLeft > .zero })
      case .interrupted: return .sessions(Set(try await store.interrupted()))
      case .expire(let time): return .count(try await store.expire(unusedFor: time))
      case .loseAcquisition, .pass: return .nothing
      }
    } catch let error as StoreError {
      return .refused(error)
    } catch {
      return .refused(.damaged("\(error)"))
    }
  }
}

extension SessionStore {
  /// Submits changes one after another without waiting, and returns the result of each.
  fileprivate func commitTogether(_ changes: [StoreChange]) async -> [StoreError?] {
    let results = Mutex<[Int: StoreError?]>([:])
    await withCheckedContinuation { continuation in
      for (place, change) in changes.enumerated() {
        commit(change) { error in
          let count = results.withLock { results in
            results[place] = .some(error)
            return results.count
          }
          if count == changes.count { continuation.resume() }
        }
      }
    }
    return results.withLock { results in changes.indices.map { results[$0] ?? .closed } }
  }
}
