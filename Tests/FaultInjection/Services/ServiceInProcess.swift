package import CFusionFaultingVFS
package import Foundation
import Synchronization
import UIFusionKit
package import UIFusionServer

/// The service in this process, with its store on a ``FaultyDisk`` that can lose power.
package final class ServiceInProcess: FaultyService {
  private struct State {
    var service: Service?
    var life = Life()
    var generator: Generator
  }

  /// The state of the service from a start to the following kill.
  private final class Life: EffectLog {
    private struct State {
      var isAlive = true
      var effects: [Effect] = []
    }

    private let state = Mutex(State())

    var isAlive: Bool { state.withLock { $0.isAlive } }
    var effects: [Effect] { state.withLock { $0.effects } }

    /// Records an effect, unless the service was killed: a dead process does nothing.
    func begin(_ number: InputNumber) {
      state.withLock { if $0.isAlive { $0.effects.append(Effect(number, began: now())) } }
    }

    func end() { state.withLock { $0.isAlive = false } }
  }

  package let disk: FaultyDisk
  private let folder: String
  private let durability: Durability
  /// The executable `faults`; without it no session is recovered.
  private let executable: URL?
  private let threads = OwnThreads()
  private let state: Mutex<State>
  private let past = Mutex<[Effect]>([])

  /// Creates the folder of the service.
  package init(
    folder: String,
    seed: UInt64,
    durability: Durability = .full,
    executable: URL? = nil
  ) throws {
    self.folder = folder
    self.executable = executable
    self.durability = durability
    disk = try FaultyDisk("faulty-\(UUID().uuidString)", seed: seed)
    var generator = Generator(seed: seed)
    state = Mutex(State(generator: generator.split()))
  }

  package func start() async throws {
    let life = Life()
    var configuration = Configuration()
    configuration.port = 0
    configuration.publicFolder = folder
    configuration.data = .folder(folder + "/data")
    configuration.storeVFS = disk.name
    configuration.durability = durability
    configuration.heartbeat = .milliseconds(100)
    configuration.drain = .zero
    // Warnings about the failing store would hide the output of the tests.
    configuration.logLevel = .error
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let service = try Service(
      faultCatalog(life),
      configuration,
      dependencies: Dependencies(executor: threads)
    )
    state.withLock { ($0.service, $0.life) = (service, life) }
  }

  package var port: Int { state.withLock { $0.service?.port ?? 0 } }
  package var isAlive: Bool { state.withLock { $0.life }.isAlive }
  package var faults: Int { disk.faults }

  package func inject(_ fault: Fault?) { disk.inject(fault) }

  /// Kills the service; in half of all cases the machine also loses its power.
  package func kill() async throws {
    let losesPower = state.withLock { $0.generator.isChosen(percent: 50) }
    try await kill(losesPower ? FVFS_POWER_FAILS : FVFS_POWER_STAYS)
  }

  package func kill(_ power: fvfs_power) async throws {
    let (service, life) = state.withLock { state in
      defer { state.service = nil }
      return (state.service, state.life)
    }
    // First, so that no client records an answer that was made from the frozen disk.
    life.end()
    disk.freeze()
    await service?.stop()
    past.withLock { $0 += life.effects }
    try disk.restart(power)
  }

  package func recover(
    _ session: History.SessionPath,
    to version: Int,
    patience: UInt32?
  ) throws -> Bool? {
    guard let executable else { return false }
    defer { disk.reread() }
    return try RecoveryTool(executable: executable, data: folder + "/data")
      .recover(session, to: version, patience: patience)
  }

  package func effects() -> [Effect] {
    past.withLock { $0 } + (isAlive ? state.withLock { $0.life }.effects : [])
  }
}
