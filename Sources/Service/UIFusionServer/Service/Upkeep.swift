import FusionCluster
import FusionSQLiteSessions
import FusionSessionAPI
import FusionSessions
import UIFusionKit

/// The periodic work of a running service.
struct Upkeep: Sendable {
  private let configuration: Configuration
  private let host: SessionHost
  private let api: SessionAPI
  private let cluster: ClusterNode?
  private let store: SQLiteSessionStore?
  private let renewal: CertificateRenewal?
  private let time: any TimeSource

  init(
    _ configuration: Configuration,
    _ host: SessionHost,
    _ api: SessionAPI,
    _ cluster: ClusterNode?,
    _ store: (any SessionStore)?,
    _ renewal: CertificateRenewal?,
    _ time: any TimeSource
  ) {
    self.configuration = configuration
    self.host = host
    self.api = api
    self.cluster = cluster
    self.store = store as? SQLiteSessionStore
    self.renewal = renewal
    self.time = time
  }

  /// Works until the task is cancelled.
  func run() async {
    await withTaskGroup { group in
      group.addTask { try? await host.keepLease() }
      group.addTask {
        try? await host.keepExpiring(wakingInterrupted: configuration.wakeInterrupted)
      }
      group.addTask { try? await host.keepPuttingToSleep() }
      group.addTask { try? await host.keepRelievingMemory { releaseFreeMemory() } }
      group.addTask { await host.checkStored() }
      if let cluster {
        group.addTask { await every(.seconds(1)) { cluster.watch() } }
      }
      let tick = configuration.heartbeat / SessionAPI.ticksPerHeartbeat
      group.addTask { await every(max(tick, .milliseconds(1))) { api.tick() } }
      if let renewal {
        group.addTask { await every(.seconds(60)) { renewal.check() } }
      }
      if let store {
        group.addTask {
          await every(.seconds(1)) {
            if let error = store.checkFiles() { host.storeFailed(error) }
          }
        }
      }
    }
  }

  private func every(_ pause: Duration, _ work: () -> Void) async {
    while (try? await time.sleep(for: pause)) != nil { work() }
  }
}
