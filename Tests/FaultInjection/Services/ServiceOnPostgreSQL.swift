package import Foundation
import FusionPostgreSQLServer
import FusionRawHTTP
import Synchronization

/// The service as a process with its sessions in a database: the process can be killed, and the database
/// can break connections, hang and restart.
package final class ServiceOnPostgreSQL: FaultyService {
  private struct State {
    var faults = 0
    /// The server's stopped processes.
    var stopped: [pid_t] = []
  }

  private let server: PostgreSQLServer
  private let database: String
  private let process: ServiceProcess
  private let state = Mutex(State())

  /// Creates the folder; `executable` is `faults`.
  package init(_ executable: URL, folder: String) throws {
    server = try PostgreSQLServer()
    database = try server.emptySchema()
    process = try ServiceProcess(executable, folder: folder, data: database)
  }

  deinit { goOn() }

  package func start() async throws {
    try await process.start()
    try RawClient.waitUntilReady(process.port)
    try endLeases("WHERE number < (SELECT max(number) FROM node)")
  }

  /// Ends leases at once: a dead node owns its sessions until its lease expires.
  private func endLeases(_ condition: String = "") throws {
    try server.run("UPDATE node SET expires = clock_timestamp() \(condition)", in: database)
  }

  package var port: Int { process.port }
  package var isAlive: Bool { process.isAlive }
  package var faults: Int { state.withLock { $0.faults } }

  package func inject(_ fault: Fault?) {
    goOn()
    guard let fault else { return }
    state.withLock { $0.faults += 1 }
    switch fault {
    case .syncsHang, .writesHang, .syncsAreSlow: standStill()
    case .syncsFail: try? server.crash()
    case .writesFail, .diskIsFull, .spaceIsShort, .truncatesFail, .mapsFail:
      _ = try? server.run(
        "SELECT count(pg_terminate_backend(pid)) \(PostgreSQLServer.others)",
        in: database
      )
    }
  }

  private func standStill() {
    let pids = "SELECT string_agg(pid::text, ' ') \(PostgreSQLServer.others)"
    let all = ((try? server.run(pids, in: database)) ?? nil) ?? ""
    state.withLock { state in
      state.stopped = all.split(separator: " ").compactMap { pid_t($0) }
      for pid in state.stopped { Foundation.kill(pid, SIGSTOP) }
    }
  }

  private func goOn() {
    state.withLock { state in
      for pid in state.stopped { Foundation.kill(pid, SIGCONT) }
      state.stopped = []
    }
  }

  package func kill() async throws {
    try await process.kill()
    goOn()
  }

  package func recover(
    _ session: History.SessionPath,
    to version: Int,
    patience: UInt32?
  ) throws -> Bool? {
    try endLeases()
    return try process.recover(session, to: version, patience: patience)
  }

  package func effects() throws -> [Effect] { try process.effects() }
}
