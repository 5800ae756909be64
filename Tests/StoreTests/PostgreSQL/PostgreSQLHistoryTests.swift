import FusionPostgreSQLServer
import FusionPostgreSQLSessions
import FusionSessions
import Testing

/// The history that a store drops.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.isMissing)))
struct `Old history in PostgreSQL` {
  @Test func `is kept up to twice the limit, including all that a read needs`() async throws {
    try await withNodes("a") { (stores, database) async throws in
      let archive = try PostgreSQLSessionArchive(database)
      await stores[0].commit(.create(.new(1)))
      for last in stride(from: 64, through: 2_048, by: 64) {
        await stores[0].commit(.append(to: 1, last - 63...last, head: .after(last)))
        stores[0].tidy()
        let log = try #require(try archive.history(of: .number(1))?.log)
        #expect(log.last?.sequence == last)
        #expect(log.count >= min(last, 256) && log.count <= 512 + 64)
      }
      await stores[0].commit(.append(to: 1, 2_049...2_051))
      let session = try await stores[0].load(.number(1))
      #expect(session?.head == .after(2_048))
      #expect(session?.entries.map(\.sequence) == [2_049, 2_050, 2_051])
    }
  }

  @Test func `is dropped even if another node wrote it`() async throws {
    try await withNodes("a", "b") { (stores, database) async throws in
      await stores[0].commit(.create(.new(1)))
      for first in [1, 251, 501] {
        await stores[0].commit(.append(to: 1, first...first + 249))
      }
      await stores[0].release([.number(1): .zero])
      _ = try await stores[1].acquire(1)
      await stores[1].commit(.append(to: 1, 751...752, head: .after(752)))
      stores[1].tidy()
      let log = try PostgreSQLSessionArchive(database).history(of: .number(1))?.log
      // A row is dropped as a whole.
      #expect(log?.map(\.sequence) == Array(501...752))
    }
  }

  @Test func `is dropped without reading it again for each key`() async throws {
    try await withNodes("a") { (stores, database) async throws in
      await stores[0].commit(.create(.new(1)))
      for first in [1, 501, 1_001] {
        let entries = first...(first + 499)
        await stores[0].commit(.append(to: 1, entries, keys: true, head: .after(first + 499)))
      }
      // A connection reports its reads when it ends.
      stores[0].close()
      let server = try PostgreSQLServer.shared.get()
      let connections = "(SELECT count(*) \(PostgreSQLServer.others))"
      try await server.wait(until: "\(connections) = 0", in: database)
      let read = try server.run(
        """
        SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_user_tables
        WHERE schemaname = current_schema() AND relname = 'key'
        """,
        in: database
      )
      let count = try #require(read.flatMap { Int($0) })
      #expect((1_000...50_000).contains(count), "rows read for 1,244 keys")
    }
  }
}
