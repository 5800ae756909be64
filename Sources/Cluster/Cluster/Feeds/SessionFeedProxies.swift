import FusionSessionAPI
import FusionSessions
import Synchronization
import UIFusionKit

/// The sessions that streams of this node follow: one proxy for each session, on whichever node it runs, shared by its
/// streams.
final class SessionFeedProxies: Sendable {
  private struct Reference {
    weak var proxy: SessionFeedProxy?
  }

  let host: SessionHost
  let readiness: Readiness
  let feeds: NodeFeeds
  let searches = SearchQuota(64)
  private let proxies = Mutex<[SessionID: Reference]>([:])

  init(
    _ host: SessionHost,
    _ transport: any NodeTransport,
    _ readiness: Readiness,
    _ metrics: ClusterMetrics
  ) {
    self.host = host
    self.readiness = readiness
    feeds = NodeFeeds(transport, host.dependencies.random, metrics) { [weak host] in
      host?.ownership.node?.address
    }
  }

  /// Ends the streams whose session has been out of sight for `limit`: its node is not found, or this node may not answer
  /// for the session.
  func endLost(for limit: Duration) {
    let all = proxies.withLock { $0.values.compactMap(\.proxy) }
    for proxy in all.sorted(by: { $0.id < $1.id }) { proxy.endIfLost(for: limit) }
  }

  /// Finds sessions that a client wants to follow; calls `done` with one result for each, in their order.
  func open(
    _ sessions: [(id: SessionID, seen: Int)],
    _ done: @escaping @Sendable ([FollowedSession]) -> Void
  ) {
    let results = FollowedSessions(count: sessions.count, done)
    for (index, session) in sessions.enumerated() {
      let (proxy, isNew) = proxy(for: session.id)
      proxy.open(seen: session.seen) { results.add($0, at: index) }
      if isNew { proxy.look() }
    }
  }

  private func proxy(for id: SessionID) -> (proxy: SessionFeedProxy, isNew: Bool) {
    proxies.withLock { proxies in
      if let proxy = proxies[id]?.proxy { return (proxy, false) }
      let proxy = SessionFeedProxy(id, self)
      proxies[id] = Reference(proxy: proxy)
      return (proxy, true)
    }
  }

  /// Forgets a proxy that has ended or is no longer used, unless a newer one has replaced the proxy.
  func forget(_ id: SessionID, _ proxy: SessionFeedProxy? = nil) {
    // This may be the proxy's last reference: it must end after the lock, as its deinit calls this function.
    _ = proxies.withLock { proxies in
      let known = proxies[id]?.proxy
      if known === proxy { proxies[id] = nil }
      return known
    }
  }
}

/// Collects the results of looking for several sessions.
private final class FollowedSessions: Sendable {
  private let count: Int
  private let done: @Sendable ([FollowedSession]) -> Void
  private let known = Mutex<[Int: FollowedSession]>([:])

  init(count: Int, _ done: @escaping @Sendable ([FollowedSession]) -> Void) {
    self.count = count
    self.done = done
  }

  func add(_ session: FollowedSession, at index: Int) {
    let all: [FollowedSession]? = known.withLock { known in
      known[index] = session
      return known.count == count ? (0..<count).compactMap { known[$0] } : nil
    }
    if let all { done(all) }
  }
}
