import FusionPostgreSQLServer
import FusionPostgreSQLSessions
import FusionSessions
import Testing

/// Commits of several sessions together.
@Suite(
  .enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.isMissing)),
  .timeLimit(.minutes(5))
)
struct `A commit in PostgreSQL` {
  @Test func `proceeds beside a commit of many changes that is blocked`() async throws {
    try await withNodes("a") { (stores, database) async throws in
      for number in UInt64(1)...9 { await stores[0].commit(.create(.new(number))) }
      let locks = try [1, 2, 3].map { try lock($0, database) }
      // Both connections are blocked, so the next six changes form one commit, which the third lock blocks.
      async let first = stores[0].commit(.append(to: 1, 1...1))
      try await waitForLocks(1, database)
      async let second = stores[0].commit(.append(to: 2, 1...1))
      try await waitForLocks(2, database)
      let (results, told) = AsyncStream.makeStream(of: StoreError?.self)
      for number in UInt64(3)...8 {
        stores[0].commit(.append(to: number, 1...1)) { told.yield($0) }
      }
      try locks[1].run("COMMIT")
      #expect(await second == nil)
      try await waitForLocks(2, database)
      try locks[0].run("COMMIT")
      #expect(await first == nil)
      #expect(await stores[0].commit(.append(to: 9, 1...1)) == nil)
      try await waitForLocks(1, database)
      try locks[2].run("COMMIT")
      #expect(await results.prefix(6).allSatisfy { $0 == nil })
    }
  }

  @Test(arguments: ["22000", "54000", "XX001"])
  func `succeeds for all sessions but the faulty one`(state: String) async throws {
    try await withNodes("a") { (stores, database) async throws in
      for number in UInt64(1)...6 { await stores[0].commit(.create(.new(number))) }
      let connection = try PostgreSQLServer.shared.get().open(database)
      try connection.run(
        """
        CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF OLD.id = (SELECT id FROM session ORDER BY id OFFSET 3 LIMIT 1) THEN
            RAISE 'torn' USING ERRCODE = '\(state)';
          END IF;
          RETURN NEW;
        END $$;
        CREATE TRIGGER fail BEFORE UPDATE ON session FOR EACH ROW EXECUTE FUNCTION fail();
        """
      )
      // Both connections are blocked, so the other changes form one commit.
      let locks = try [1, 2].map { try lock($0, database) }
      let (results, told) = AsyncStream.makeStream(of: (UInt64, StoreError?).self)
      for number in UInt64(1)...6 {
        stores[0].commit(.append(to: number, 1...1)) { told.yield((number, $0)) }
        if number <= 2 { try await waitForLocks(Int(number), database) }
      }
      for lock in locks { try lock.run("COMMIT") }
      for await (number, error) in results.prefix(6) {
        #expect(error == (number == 4 ? .damaged("torn (SQLSTATE \(state))") : nil))
      }
    }
  }

  /// Locks a session's row until the connection commits.
  private func lock(_ number: UInt64, _ database: String) throws -> SQLConnection {
    let connection = try PostgreSQLServer.shared.get().open(database)
    try connection.run(
      """
      BEGIN;
      SELECT FROM session WHERE id = (SELECT id FROM session ORDER BY id OFFSET \(number - 1) LIMIT 1)
      FOR UPDATE
      """
    )
    return connection
  }

  private func waitForLocks(_ count: Int, _ database: String) async throws {
    try await PostgreSQLServer.shared.get().waitForLocks(count, in: database)
  }
}
