import FusionSessionAPI
import FusionSessions
import Synchronization
import UIFusionKit

/// A session as the streams of this node see it, on whichever node it runs.
///
/// Streams retain the proxy. While the session's node is looked for, the feed shows the last snapshot that came, and
/// then goes on with a later version.
final class SessionFeedProxy: StreamSource {
  private enum Origin {
    case none
    case here(Session, SnapshotFeed.Following)
    case elsewhere(Node, FeedSubscription)
  }

  /// A client that waits until the session is shown.
  private struct Waiter {
    /// The version that the client has seen; 0 if the search began after the client asked: any result will do.
    var version: Int
    let deadline: Duration
    /// Holds the proxy until the client is notified.
    let proxy: SessionFeedProxy
    let done: @Sendable (FollowedSession) -> Void
  }

  private struct State {
    var origin = Origin.none
    /// The session's origin, as it was found; nil before.
    var found: SessionOrigin?
    /// The number of the current search: the results of earlier ones are ignored.
    var search = 0
    /// The number of searches without a result, one after another.
    var failures = 0
    var waiters: [Waiter] = []
    /// The time since which the session is out of sight.
    var lostAt: Duration?
    /// The final result, if there is nothing to follow any more.
    var result: FollowedSession?
    var visitors = ProxyVisitors()
    /// The search that found a node which asks for the visitors.
    var searchAskingForVisitors: Int?

    /// Leaves the origin, and makes the next search the current one.
    mutating func leave() -> Origin {
      search += 1
      visitors.end()
      defer { origin = .none }
      return origin
    }

    /// Tells the origin of the visitors if it asks for them; returns the subscription that has to send that, if any.
    mutating func tellOfVisitors() -> FeedSubscription? {
      switch origin {
      case .here(let session, _) where session.isToldOfVisitors:
        visitors.begin(.here(session))
      case .elsewhere(_, let subscription) where searchAskingForVisitors == search:
        visitors.begin(.elsewhere(subscription))
      default: nil
      }
    }

    mutating func takeWaiters() -> [Waiter] {
      defer { waiters = [] }
      return waiters
    }
  }

  let id: SessionID
  let feed = SnapshotFeed()
  /// Set before the first snapshot is shown.
  var origin: SessionOrigin {
    state.withLock(\.found) ?? SessionOrigin(identity: "", viewModel: "")
  }
  private let proxies: SessionFeedProxies
  /// The time until which the first clients wait.
  private let deadline: Duration
  private let state = Mutex(State())

  /// The time that a client waits for the session: longer than any lease.
  private static let timeout = Duration.seconds(5)
  /// The time in which a node has to show a session.
  private static let readTime = Duration.seconds(2)

  /// Creates a proxy; called by ``SessionFeedProxies`` alone.
  init(_ id: SessionID, _ proxies: SessionFeedProxies) {
    self.id = id
    self.proxies = proxies
    deadline = proxies.host.dependencies.time.now + Self.timeout
  }

  deinit {
    leave(state.withLock(\.origin))
    proxies.forget(id)
  }

  private var host: SessionHost { proxies.host }
  private var now: Duration { host.dependencies.time.now }

  // MARK: For streams

  func requireMemory(forBody size: Int) throws(MemoryFull) {
    try host.memory.requireRoom(for: max(size, feed.current.snapshot?.shownSize ?? 0))
  }

  // A stream that retains the proxy keeps the session in use: see `follow`.
  func beginUse() {}
  func endUse() {}

  // Any view model may ask for visitors: only the session's node knows whether its own does.
  var isToldOfVisitors: Bool { host.viewModels.anyIsToldOfVisitors }

  func enter(_ visitor: Visitor) { state.withLock { $0.visitors.enter(visitor) }?.flush() }

  func leave(_ visitor: Visitor) { state.withLock { $0.visitors.leave(visitor) }?.flush() }

  /// Calls `done` once there is a snapshot to show, or it is known that there will be none.
  ///
  /// A client that has seen a later version than the feed shows waits until the session's node sends its snapshot
  /// again, which is at least as new.
  func open(seen version: Int, _ done: @escaping @Sendable (FollowedSession) -> Void) {
    enum Step {
      case over(FollowedSession), open, wait
      case followAnew(Origin, Node, Int)
      case lookAgain(after: Int)
    }
    var waiter = Waiter(version: version, deadline: now + Self.timeout, proxy: self, done: done)
    // Without a lease, another node may be ahead.
    let isHere = !host.directory.isAsleep(id)
    let step: Step = state.withLock { state in
      if let result = state.result { return .over(result) }
      switch (state.origin, feed.current.snapshot?.version) {
      case (.here, _?) where isHere: return .open
      case (.elsewhere, let current?) where current >= version: return .open
      case (.none, _?) where proxies.readiness.phase == .draining:
        return .over(.failed(.store(.closed)))
      case (.here, _?):
        waiter.version = 0
        state.waiters.append(waiter)
        return .lookAgain(after: state.search)
      case (.elsewhere(let node, _), _?):
        waiter.version = 0
        state.waiters.append(waiter)
        return .followAnew(state.leave(), node, state.search)
      default:
        state.waiters.append(waiter)
        return .wait
      }
    }
    switch step {
    case .over(let result): done(result)
    case .open: done(.found(self))
    case .wait: break
    case .followAnew(let origin, let node, let search):
      follow(on: node, search, self.origin)
      leave(origin)
    case .lookAgain(let search): lookAgain(after: search, .leaseOver)
    }
  }

  /// Ends streams that got nothing new for `limit`: on another node their clients may see more.
  func endIfLost(for limit: Duration) {
    let (now, isLeaseHeld) = (now, host.ownership.isHeld)
    let isLost = state.withLock { state in
      if case .here = state.origin { state.lostAt = isLeaseHeld ? nil : state.lostAt ?? now }
      return state.lostAt.map { now - $0 >= limit } ?? false
    }
    if isLost { finish(.failed(.store(.unreachable("its node is lost")))) }
  }

  // MARK: Looking for the session

  /// Looks for the session, in the store if this node does not have it.
  func look() {
    let search: Int? = state.withLock { state in
      state.search += 1
      return state.result == nil ? state.search : nil
    }
    guard let search else { return }
    proxies.searches.enter { [self] leave in
      host.waker.wake([id]) { [self] failure in
        found(failure, search)
        leave()
      }
    }
  }

  private func found(_ failure: WakeFailure?, _ search: Int) {
    switch failure {
    case nil:
      switch host.directory.find(id) {
      case .resident(let session): follow(session, search)
      case .ended(let end): finish(.ended(end))
      case .unknown: finish(.unknown)
      case .asleep: lookAgain(after: search, .store(.unreachable("it fell asleep")))
      }
    case .elsewhere(let node, let origin): follow(on: node, search, origin)
    // A client that has seen nothing yet may as well ask another node.
    case .unreadableHere(let name) where feed.current.snapshot == nil:
      finish(.failed(.unreadableHere(viewModel: name)))
    // It may stay so for long: clients come back.
    case .setAside(let name): finish(.failed(.setAside(viewModel: name)))
    case let failure?: lookAgain(after: search, failure)
    }
  }

  /// Looks for the session again, as a search has failed or its result has become outdated.
  private func lookAgain(after search: Int, _ failure: WakeFailure) {
    let now = now
    let (origin, failures): (Origin, Int?) = state.withLock { state in
      guard state.search == search, state.result == nil else { return (.none, nil) }
      state.failures += 1
      state.lostAt = state.lostAt ?? now
      return (state.leave(), state.failures)
    }
    guard let failures else { return }
    leave(origin)
    host.directory.forgetLocation(of: id)
    let isDraining = proxies.readiness.phase == .draining
    if feed.current.snapshot == nil, isDraining || now >= deadline {
      return finish(.failed(failure))
    }
    let late = state.withLock { state in
      let late = state.waiters.filter { isDraining || now >= $0.deadline }
      state.waiters.removeAll { isDraining || now >= $0.deadline }
      return late
    }
    for waiter in late { waiter.done(.failed(failure)) }
    // The proxy's streams are about to be closed.
    if isDraining { return }
    let pause = Backoff.pause(after: failures, of: id, longest: .seconds(1))
    _ = host.timeouts.start(after: pause) { [weak self] in self?.look() }
  }

  /// Ends the proxy, as the session cannot be followed any more.
  private func finish(_ result: FollowedSession) {
    let left: (origin: Origin, waiters: [Waiter])? = state.withLock { state in
      if state.result != nil { return nil }
      state.result = result
      return (state.leave(), state.takeWaiters())
    }
    guard let left else { return }
    leave(left.origin)
    proxies.forget(id, self)
    switch result {
    case .ended(let end): feed.end(end)
    case .unknown: feed.end(.expired)
    case .failed: feed.move()
    case .found: break
    }
    for waiter in left.waiters { waiter.done(result) }
  }

  // MARK: Following the session

  private func follow(_ session: Session, _ search: Int) {
    state.withLock { $0.found = session.origin }
    session.beginUse()
    let following = session.feed.follow(PulseRelay(feed)) { [weak self] in
      self?.look(at: session, search)
    }
    if keep(.here(session, following), of: search) { look(at: session, search) }
  }

  private func look(at session: Session, _ search: Int) {
    let view = session.feed.current
    if let snapshot = view.snapshot { show(snapshot, of: search) }
    if let end = view.end {
      finish(.ended(end))
    } else if view.hasMoved {
      lookAgain(after: search, .store(.fenced))
    }
  }

  private func follow(on node: Node, _ search: Int, _ origin: SessionOrigin) {
    state.withLock { $0.found = origin }
    let failure = WakeFailure.elsewhere(node, origin)
    let timeout = host.timeouts.start(after: Self.readTime) { [weak self] in
      self?.lookAgain(after: search, failure)
    }
    let subscription = proxies.feeds.follow(id, on: node) { [weak self, host] frame in
      host.timeouts.stop(timeout)
      guard let self else { return }
      switch frame {
      case .state(_, let version, let pulses, let state):
        let previous = feed.current.snapshot
        let next = Snapshot(version: version, state: state, pulses: pulses, after: previous)
        show(next, of: search, on: node)
      case .end(_, let end): finish(.ended(end))
      case .lost: lookAgain(after: search, failure)
      case .visitors: askForVisitors(search)
      }
    }
    _ = keep(.elsewhere(node, subscription), of: search)
  }

  /// Shows a snapshot of this node's session, or of another node's, which may have been on its way for long.
  private func show(_ snapshot: Snapshot, of search: Int, on node: Node? = nil) {
    feed.show(snapshot)
    let (waiters, left): ([Waiter], (origin: Origin, search: Int)?) = state.withLock { state in
      guard state.search == search else { return ([], nil) }
      state.failures = 0
      state.lostAt = nil
      let waiters = state.takeWaiters()
      guard node != nil else { return (waiters, nil) }
      for var waiter in waiters where waiter.version > snapshot.version {
        waiter.version = 0
        state.waiters.append(waiter)
      }
      let left = state.waiters.isEmpty ? nil : (state.leave(), state.search)
      return (waiters.filter { $0.version <= snapshot.version }, left)
    }
    for waiter in waiters { waiter.done(.found(self)) }
    if let node, let left {
      follow(on: node, left.search, origin)
      leave(left.origin)
    }
  }

  /// Tells the node that asked for visitors who they are, at once or when its subscription is kept.
  private func askForVisitors(_ search: Int) {
    let subscription: FeedSubscription? = state.withLock { state in
      guard state.search == search else { return nil }
      state.searchAskingForVisitors = search
      return state.tellOfVisitors()
    }
    subscription?.flush()
  }

  /// Keeps the origin that a search has found; leaves it and returns false if the search is not the current one.
  private func keep(_ origin: Origin, of search: Int) -> Bool {
    let (isKept, subscription): (Bool, FeedSubscription?) = state.withLock { state in
      guard state.search == search, state.result == nil else { return (false, nil) }
      state.origin = origin
      return (true, state.tellOfVisitors())
    }
    subscription?.flush()
    if !isKept { leave(origin) }
    return isKept
  }

  private func leave(_ origin: Origin) {
    switch origin {
    case .none: break
    case .here(let session, let following):
      session.feed.unfollow(following)
      session.endUse()
    case .elsewhere(_, let subscription): subscription.cancel()
    }
  }
}

/// Shows each snapshot with a new Pulse in a proxy's feed before the session's own feed replaces it.
private final class PulseRelay: Follower {
  private let feed: SnapshotFeed

  init(_ feed: SnapshotFeed) {
    self.feed = feed
  }

  func willReplace(_ snapshot: Snapshot, of _: SnapshotFeed) {
    feed.show(snapshot)
  }
}
