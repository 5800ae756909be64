import FusionSessions
import UIFusionKit

/// The parts of a host that resources use; a session that exists already comes from ``SessionAccess`` alone.
struct HostServices: Sendable {
  let viewModels: HostedViewModels
  let limits: SessionLimits
  let dependencies: Dependencies
  let memory: MemoryGauge
  /// The timeouts of requests that are held.
  let timeouts: Timeouts
  let health: StoreHealth
  let creator: Creator
  let forker: Forker
  let shares: Shares
  /// Whether sessions may be watched.
  let isWatchable: Bool
  /// Whether each Input that is processed is reported.
  let reportsInputs: Bool

  init(_ host: SessionHost) {
    (viewModels, limits, dependencies) = (host.viewModels, host.limits, host.dependencies)
    (memory, timeouts, health) = (host.memory, host.timeouts, host.health)
    (creator, forker, shares) = (host.creator, host.forker, host.shares)
    (isWatchable, reportsInputs) = (host.watcher.isEnabled, host.reportsInputs)
  }
}
