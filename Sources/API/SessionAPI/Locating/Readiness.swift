import Synchronization

/// The phase of the service's life, shared by all parts that depend on it.
package final class Readiness: Sendable {
  package enum Phase: UInt8, AtomicRepresentable, Sendable {
    case starting
    case ready
    /// The service works normally; only `/readyz` reports that it is about to stop.
    case leaving
    /// The service accepts no new sessions and no new connections.
    case draining
  }

  private let value = Atomic<Phase>(.starting)

  package init() {}

  /// Goes over from the start to normal work; does nothing if the service is about to stop.
  package func becomeReady() {
    _ = value.compareExchange(
      expected: .starting,
      desired: .ready,
      ordering: .acquiringAndReleasing
    )
  }

  package var phase: Phase {
    get { value.load(ordering: .acquiring) }
    set { value.store(newValue, ordering: .releasing) }
  }
}
