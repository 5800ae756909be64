import FusionPostgreSQLServer
import FusionPostgreSQLSessions
import FusionSessions
import Testing

/// What a store drops of what its sessions have done.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.isMissing)))
struct `Old history in PostgreSQL` {
  @Test func `is dropped without being read again for each key`() async throws {
    try await withNodes("a") { (stores, database) async throws in
      await stores[0].commit(.create(.new(1)))
      for first in [1, 501, 1_001] {
        let entries = first...(first + 499)
        await stores[0].commit(.append(to: 1, entries, keys: true, head: .after(first + 499)))
      }
      // A connection tells what it has read when it ends.
      stores[0].close()
      let server = try PostgreSQLServer.shared.get()
      let connection = try server.open(database)
      while try connection.run("SELECT count(*) \(PostgreSQLServer.others)") != "0" {
        await Task.yield()
      }
      let read = try connection.run(
        """
        SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_user_tables
        WHERE schemaname = current_schema() AND relname = 'key'
        """
      )
      let count = try #require(read.flatMap { Int($0) })
      #expect((1_000...50_000).contains(count), "rows of 1,244 keys that were read")
    }
  }
}
