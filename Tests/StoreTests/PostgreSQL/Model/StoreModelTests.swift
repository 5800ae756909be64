import Foundation
import FusionPostgreSQLServer
import FusionSessions
import FusionStoreDoubles
import Testing

/// Compares the statements for PostgreSQL with the store in memory that the simulation uses.
///
/// `UIFUSION_STORE_MODEL_COUNT=1000` runs more seeds, `UIFUSION_STORE_MODEL_SEED=17` a single one.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.isMissing)))
struct `PostgreSQL and its model` {
  private static let seeds = {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["UIFUSION_STORE_MODEL_SEED"].flatMap { UInt64($0) }
    let count = environment["UIFUSION_STORE_MODEL_COUNT"].flatMap { UInt64($0) }
    return seed.map { $0...$0 } ?? 1...(count ?? 3)
  }()

  @Test func `give the same answers and store the same rows`() async throws {
    for seed in Self.seeds {
      let stores = try await ComparedStores()
      defer { stores.close() }
      var random = StepGenerator(seed: seed)
      var steps = ["seed \(seed)"]
      func comment() -> Comment { Comment(rawValue: steps.joined(separator: "\n")) }
      for _ in 1...120 {
        let (node, step) = (random.node(), random.step(stores.memory))
        steps.append("\(ComparedStores.names[node]): \(step)")
        let (answer, expected) = try await stores.take(step, at: node)
        try #require(answer == expected, comment())
        let (rows, expectedRows) = try stores.rows()
        try #require(rows == expectedRows, comment())
      }
      for id in StepGenerator.ids {
        let stored = try await stores.load(id)
        #expect(stored == stores.memory.stored(id), comment())
      }
    }
  }
}
