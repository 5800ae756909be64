import Synchronization

/// The phase of the service's life, shared by all who act on it.
package final class Readiness: Sendable {
  package enum Phase: UInt8, AtomicRepresentable, Sendable {
    case starting
    case ready
    /// Everything goes on; only `/readyz` says that the service is about to stop.
    case leaving
    /// No new sessions and no new connections.
    case draining
  }

  private let value = Atomic<Phase>(.starting)

  package init() {}

  package var phase: Phase {
    get { value.load(ordering: .acquiring) }
    set { value.store(newValue, ordering: .releasing) }
  }
}
