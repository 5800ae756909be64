import FusionHTTPMessages
import FusionSessionAPI
import FusionSessions
import Synchronization

/// The feeds that streams follow where several nodes share sessions: one proxy for each session, however many
/// streams have it, and wherever it is at work.
final class SessionFeedProxies: Sendable {
  let host: SessionHost
  let forwarding: any RequestForwarding
  let readiness: Readiness
  let metrics: ClusterMetrics
  let searches = SearchQuota(64)
  private let relays = Mutex<[SessionID: SessionFeedProxy]>([:])

  init(
    _ host: SessionHost,
    _ forwarding: any RequestForwarding,
    _ readiness: Readiness,
    _ metrics: ClusterMetrics
  ) {
    self.host = host
    self.metrics = metrics
    self.forwarding = forwarding
    self.readiness = readiness
  }

  private var all: [SessionFeedProxy] { relays.withLock { Array($0.values) } }

  /// Ends streams that have shown nothing for so long as their session's node is not found, or as this one
  /// may not answer for it.
  func endLost(for limit: Duration) {
    for relay in all { relay.endIfLost(for: limit) }
  }

  /// Asks each node that sessions are followed on whether it is there; one that is not within two seconds has
  /// lost them, as a process that stands still does not close its connections.
  func watchNodes() {
    let relays = all
    for node in Set(relays.compactMap(\.node)) {
      forwarding.forward(
        HTTPRequest(.get, RequestTarget(segments: ["healthz"])),
        to: node,
        within: .seconds(2),
        // Not behind those that the node does not answer.
        isHeld: true
      ) { result in
        switch result {
        case .success, .failure(.full): return
        case .failure: break
        }
        for relay in relays { relay.lose(node) }
      }
    }
  }

  /// Finds sessions, and keeps them in sight; `done` is told of each what came of it, in their order.
  func open(
    _ ids: [SessionID],
    from position: StreamPosition,
    _ done: @escaping @Sendable ([SessionFeedProxy.Opening]) -> Void
  ) {
    let openings = Openings(count: ids.count, done)
    for (index, id) in ids.enumerated() {
      open(id, seen: position.version(of: id) ?? 0) { openings.add($0, at: index) }
    }
  }

  private func open(
    _ id: SessionID,
    seen version: Int,
    _ done: @escaping @Sendable (SessionFeedProxy.Opening) -> Void
  ) {
    let (relay, use, isNew) = relays.withLock { relays in
      let relay = relays[id]
      let chosen = relay ?? SessionFeedProxy(id, self)
      relays[id] = chosen
      return (chosen, SessionFeedUse(of: chosen), relay == nil)
    }
    relay.whenOpen(use, seen: version, done)
    if isNew { relay.begin() }
  }

  /// Nobody follows it any more, or there is nothing to follow.
  func close(_ relay: SessionFeedProxy, ifUnused: Bool) {
    let isClosed = relays.withLock { relays in
      if ifUnused, relay.isUsed { return false }
      if relays[relay.id] === relay { relays[relay.id] = nil }
      return true
    }
    if isClosed { relay.stop() }
  }
}

/// Collects what came of several sessions.
private final class Openings: Sendable {
  private let count: Int
  private let done: @Sendable ([SessionFeedProxy.Opening]) -> Void
  private let known = Mutex<[Int: SessionFeedProxy.Opening]>([:])

  init(count: Int, _ done: @escaping @Sendable ([SessionFeedProxy.Opening]) -> Void) {
    self.count = count
    self.done = done
  }

  func add(_ opening: SessionFeedProxy.Opening, at index: Int) {
    let all: [SessionFeedProxy.Opening]? = known.withLock { known in
      known[index] = opening
      return known.count == count ? (0..<count).compactMap { known[$0] } : nil
    }
    if let all { done(all) }
  }
}
