import FusionCluster
import FusionSQLiteSessions
import FusionSessionAPI
import FusionSessions
import UIFusionKit

/// The periodic work of a running service.
struct Upkeep: Sendable {
  let configuration: Configuration
  let host: SessionHost
  let api: SessionAPI
  /// The work with other nodes; nil if no other process shares the store.
  let cluster: ClusterNode?
  /// The store in a folder, whose files are watched; nil for any other.
  let store: SQLiteSessionStore?
  let renewal: CertificateRenewal?
  let authenticator: Authenticator
  let time: any TimeSource

  /// Works until the task is cancelled.
  func run() async {
    await withTaskGroup { group in
      group.addTask { try? await host.recoverer.keepLease() }
      group.addTask {
        try? await host.expirer.run(wakingInterrupted: configuration.wakeInterrupted)
      }
      group.addTask { try? await host.setAsideWatch.run() }
      group.addTask { try? await host.sleeper.run() }
      group.addTask { try? await host.sleeper.keepRelievingMemory { releaseFreeMemory() } }
      group.addTask { try? await host.alarmWaker.run() }
      group.addTask { await host.storedStateCheck.run() }
      if let cluster {
        group.addTask { await every(.seconds(1)) { cluster.watch() } }
      }
      let tick = configuration.heartbeat / SessionAPI.ticksPerHeartbeat
      group.addTask { await every(max(tick, .milliseconds(1))) { api.tick() } }
      if let renewal {
        group.addTask { await every(.seconds(60)) { renewal.check() } }
      }
      if authenticator.hasFiles {
        group.addTask { await every(.seconds(1)) { authenticator.reload(onlyChanged: true) } }
      }
      if let ended = authenticator.cookies?.ended {
        group.addTask { await ended.followOtherNodes() }
      }
      if let store {
        group.addTask {
          await every(.seconds(1)) {
            if let error = store.checkFiles() { host.health.failed(error) }
          }
        }
      }
    }
  }

  private func every(_ pause: Duration, _ work: () -> Void) async {
    while (try? await time.sleep(for: pause)) != nil { work() }
  }
}
