import Synchronization

/// Where the service is in its life.
package final class Readiness: Sendable {
  package enum Phase: UInt8, AtomicRepresentable, Sendable {
    case starting
    case ready
    /// Everything goes on; only `/readyz` says that it will not for long.
    case leaving
    /// No new sessions, no new connections.
    case draining
  }

  private let value = Atomic<Phase>(.starting)

  package init() {}

  package var phase: Phase {
    get { value.load(ordering: .acquiring) }
    set { value.store(newValue, ordering: .releasing) }
  }
}
