import CFusionFaultingCalls
package import Foundation
import FusionSpawning
import Synchronization

/// The service in its own process, with failing system calls; it is killed by SIGKILL.
package final class ServiceProcess: FaultyService, @unchecked Sendable {
  // Guard: `calls` uses atomics; everything else is in the mutex or constant.
  private struct State {
    var process: ChildProcess?
    var port = 0
    var isAlive = false
  }

  package struct NotStarted: Error {}

  private let calls: OpaquePointer
  private let executable: URL
  private let folder: String
  /// The location of the sessions.
  private let data: String
  private let state = Mutex(State())

  /// Creates the folder, which holds the sessions unless `data` is given; `executable` is `faults`.
  package init(_ executable: URL, folder: String, data: String? = nil) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    guard let calls = fcalls_open(folder + "/calls") else { throw NotStarted() }
    self.calls = calls
    self.executable = executable
    self.folder = folder
    self.data = data ?? folder + "/data"
  }

  deinit {
    state.withLock { _ = $0.process?.terminateAtOnce() }
    fcalls_close(calls)
  }

  package func start() async throws {
    let output = Pipe()
    let arguments = [
      "serve", "--port", "0", "--data", data, "--public", folder, "--heartbeat", "0.1",
      "--log-level", "error",
    ]
    let environment = ProcessInfo.processInfo.environment.merging([
      "FAULTING_CALLS": folder + "/calls", EffectFile.variable: folder + "/effects",
    ]) { $1 }
    let process = try ChildProcess(
      executable.path,
      arguments,
      environment: environment,
      output: output
    )
    guard let announcement = try Announcement(in: output) else {
      process.waitUntilExit()
      throw NotStarted()
    }
    state.withLock { $0 = State(process: process, port: announcement.port, isAlive: true) }
  }

  package var port: Int { state.withLock { $0.port } }
  package var isAlive: Bool { state.withLock { $0.isAlive } }
  package var faults: Int { fcalls_faults(calls) }

  package func inject(_ fault: Fault?) {
    let (writes, syncs, percent) = fault?.effects ?? (FCALLS_PASS, FCALLS_PASS, 0)
    fcalls_set(calls, Int32(writes.rawValue), Int32(syncs.rawValue), Int32(percent))
  }

  package func kill() async throws {
    let process = state.withLock { state in
      state.isAlive = false
      return state.process
    }
    process?.terminateAtOnce()
    inject(nil)
  }

  package func recover(
    _ session: History.SessionPath,
    to version: Int,
    patience: UInt32?
  ) throws -> Bool? {
    try RecoveryTool(executable: executable, data: data)
      .recover(session, to: version, patience: patience)
  }

  package func effects() throws -> [Effect] { try EffectFile.read(folder + "/effects") }
}

extension ChildProcess {
  fileprivate func terminateAtOnce() {
    signal(SIGKILL)
    waitUntilExit()
  }
}

extension Fault {
  /// The faults of writes and of syncs, and their frequency.
  fileprivate var effects: (fcalls_effect, fcalls_effect, percent: Int) {
    switch self {
    case .writesFail(let percent): (FCALLS_FAIL, FCALLS_PASS, percent)
    case .diskIsFull(let percent): (FCALLS_FULL, FCALLS_PASS, percent)
    case .spaceIsShort: (FCALLS_FULL, FCALLS_PASS, 50)
    case .truncatesFail: (FCALLS_FAIL, FCALLS_FAIL, 20)
    case .syncsFail(let percent): (FCALLS_PASS, FCALLS_FAIL, percent)
    case .syncsHang: (FCALLS_PASS, FCALLS_HANG, 100)
    case .writesHang: (FCALLS_HANG, FCALLS_PASS, 100)
    case .syncsAreSlow, .mapsFail: (FCALLS_PASS, FCALLS_SLOW, 100)
    }
  }
}
