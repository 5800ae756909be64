import Foundation
import FusionSpawning
import Glibc

/// A PostgreSQL server for tests, in a folder of its own with a socket.
///
/// A shell runs the server, and reads from this process: however this process ends, the shell then stops the
/// server and removes the folder.
package final class PostgreSQLServer: Sendable {
  /// The server for all tests that do not stop it.
  package static let shared = Result { try PostgreSQLServer() }

  package static let isInstalled = programs != nil
  package static let isMissing = "PostgreSQL is not installed: apt-get install postgresql"

  /// The folder of the newest version's programs, where Debian installs them.
  private static let programs: String? = {
    let versions =
      (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    let newest = versions.max { $0.localizedStandardCompare($1) == .orderedAscending }
    let folder = newest.map { "/usr/lib/postgresql/\($0)/bin" }
    return folder.flatMap {
      FileManager.default.isExecutableFile(atPath: "\($0)/initdb") ? $0 : nil
    }
  }()

  package struct Failure: Error { package let text: String }

  private let folder: String
  /// A pipe whose end tells the shell that this process has ended.
  private let life: Pipe

  package init() throws {
    guard let programs = Self.programs else { throw Failure(text: Self.isMissing) }
    var template = Array("/tmp/uifusion-postgresql-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure(text: "no folder") }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    life = Pipe()
    let answer = Pipe()
    // The server refuses to run as root. Its files need not survive a crash of the machine.
    let script = """
      trap '' INT TERM HUP
      as=; [ "$(id -u)" != 0 ] || { chown nobody:nogroup "$1"; as='setpriv --reuid=nobody --regid=nogroup --clear-groups'; }
      cd "$1"
      export LC_ALL=C
      { $as "$2/initdb" -D data -A trust -U fusion --no-sync &&
        printf '%s\\n' "listen_addresses = ''" "unix_socket_directories = '$1'" 'fsync = off' 'full_page_writes = off' \
          'max_connections = 500' 'shared_buffers = 32MB' >> data/postgresql.conf &&
        $as "$2/pg_ctl" -D data -w -l log start; } > setup 2>&1 < /dev/null && echo ready || tail -3 setup log
      exec 1>&-
      while read -r order; do $as "$2/pg_ctl" -D data -w -m fast -l log $order >> setup 2>&1 < /dev/null; echo > "$1/done"; done
      $as "$2/pg_ctl" -D data -m immediate stop > /dev/null 2>&1
      cd /; rm -rf "$1"
      """
    _ = try ChildProcess(
      "/bin/sh",
      ["-c", script, "sh", folder, programs],
      input: life.fileHandleForReading,
      output: answer
    )
    let text = String(decoding: answer.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    guard text == "ready\n" else { throw Failure(text: text) }
  }

  deinit {
    try? life.fileHandleForWriting.close()
  }

  /// Creates an empty schema; returns its connection string.
  package func emptySchema() throws -> String {
    let name = "test_\(UUID().uuidString.lowercased().filter { $0 != "-" })"
    try run("CREATE SCHEMA \(name)")
    return connectionString(schema: name)
  }

  private func connectionString(schema: String = "public") -> String {
    "postgres:///postgres?host=\(folder)&user=fusion&options=-csearch_path%3D\(schema)"
      + "&application_name=\(schema)"
  }

  /// Selects the other connections of the same schema.
  package static let others = """
    FROM pg_stat_activity WHERE pid <> pg_backend_pid()
    AND application_name = current_setting('application_name')
    """

  /// Waits until exactly some connections wait for a lock.
  package func waitForLocks(_ count: Int = 1, in connectionString: String) async throws {
    let waiting = "SELECT count(*) \(Self.others) AND wait_event_type = 'Lock'"
    try await wait(until: "(\(waiting)) = \(count)", in: connectionString)
  }

  /// Waits until a condition is true, for a minute at the most.
  ///
  /// The server checks it, since nothing tells of what it waits for; the caller's thread is free meanwhile.
  package func wait(until condition: String, in connectionString: String) async throws {
    let waiting = """
      SET statement_timeout = '1min';
      DO $$ BEGIN
        WHILE NOT \(condition) LOOP
          PERFORM pg_sleep(0.001);
          PERFORM pg_stat_clear_snapshot();
        END LOOP;
      END $$
      """
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { _ = try self.run(waiting, in: connectionString) })
      }
    } as Void
  }

  /// Opens a connection that stays open.
  package func open(_ connectionString: String? = nil) throws -> SQLConnection {
    try SQLConnection(connectionString ?? self.connectionString())
  }

  @discardableResult
  package func run(_ sql: String, in connectionString: String? = nil) throws -> String? {
    try open(connectionString).run(sql)
  }

  package func stop() throws { try order("stop") }
  package func start() throws { try order("start") }
  /// Crashes the server and restarts it, so that it recovers from its log.
  package func crash() throws { try order("restart -m immediate") }

  private func order(_ order: String) throws {
    let path = "\(folder)/done"
    try life.fileHandleForWriting.write(contentsOf: Data("\(order)\n".utf8))
    while !FileManager.default.fileExists(atPath: path) { usleep(10_000) }
    try FileManager.default.removeItem(atPath: path)
  }
}
