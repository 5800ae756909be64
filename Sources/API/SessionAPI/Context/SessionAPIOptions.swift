package import FusionHTTPToolkit
import Synchronization

/// The settings of a ``SessionAPI``.
package struct SessionAPIOptions: Sendable {
  /// How many streams may be open.
  package var streams = 10_000
  package var access = Access()
  package var clients = ClientLimits()
  /// The path below which clients find the service.
  package var basePath = BasePath.root
  /// How long a stream may be silent, for clients that ask.
  package var heartbeat = Duration.seconds(15)
  /// Whether responses say how long they took.
  package var isTiming = false
  /// Takes a record of each request; nil where requests are not logged.
  package var log: (@Sendable (RequestRecord) -> Void)?

  package init() {}
}

/// The limits of one client, so that none can take everything from the others.
///
/// Where a limit is not set, clients in private networks have none, as all clients of a proxy may be one.
package struct ClientLimits: Sendable {
  /// How many sessions that it has created since the start of the process may be open; nil for ``usualSessions``.
  package var sessions: Int?
  /// How many streams it may have open; nil for ``usualStreams``.
  package var streams: Int?
  /// How many Inputs it may send in a second, on the average; nil for no limit.
  package var inputsPerSecond: Int?

  package static let usualSessions = 1_000
  package static let usualStreams = 100

  package init() {}
}

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
