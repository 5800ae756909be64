import FusionSessionAPI
import FusionSessions
import Synchronization
import UIFusionKit

/// One session as the streams of this node see it, wherever it is at work: here, or on another node, which
/// may change.
///
/// Its feed lives as long as anybody follows it. While the session's node is looked for, the feed shows what
/// was seen last, and then goes on with a later version.
final class SessionFeedProxy: Sendable {
  enum Origin {
    case none
    case here(Session, SnapshotFeed.Following)
    case elsewhere(Node, any Upstream)
  }

  private struct State {
    var origin = Origin.none
    /// Which search counts: what comes of earlier ones does not.
    var search = 0
    /// Searches that came to nothing, one after another.
    var failures = 0
    var uses = 0
    var waiting = SessionFeedWaiters()
    /// Since when nothing new can be seen.
    var lostAt: Duration?
    var isOver = false
    /// The final result, once there is nothing left to follow.
    var result: Opening?
  }

  let id: SessionID
  let feed = SnapshotFeed()
  let relays: SessionFeedProxies
  private let state = Mutex(State())
  /// Until when those who came first wait.
  private let deadline: Duration

  /// Made only by ``SessionFeedProxies``.
  init(_ id: SessionID, _ relays: SessionFeedProxies) {
    self.id = id
    self.relays = relays
    deadline = relays.host.dependencies.time.now + Self.patience
  }

  /// Longer than any lease.
  static let patience = Duration.seconds(5)

  var host: SessionHost { relays.host }
  private var now: Duration { host.dependencies.time.now }

  var isUsed: Bool { state.withLock { $0.uses > 0 } }

  /// The node that is at work on the session, where that is another one.
  var node: Node? {
    state.withLock { if case .elsewhere(let node, _) = $0.origin { node } else { nil } }
  }

  /// A node does not answer any more: if it is the session's, that is looked for anew.
  func lose(_ node: Node) {
    let search = state.withLock { state -> Int? in
      if case .elsewhere(node, _) = state.origin { state.search } else { nil }
    }
    if let search { lookAgain(after: search, .elsewhere(node)) }
  }

  func requireMemory(forBody size: Int) throws(MemoryFull) {
    try host.memory.requireRoom(for: max(size, feed.current.snapshot?.state.count ?? 0))
  }

  // MARK: Uses

  func addUse() {
    state.withLock { $0.uses += 1 }
  }

  func dropUse() {
    let isLast = state.withLock { state in
      state.uses -= 1
      return state.uses == 0
    }
    if isLast { relays.close(self, ifUnused: true) }
  }

  /// Calls once there is something to see, or there will not be.
  ///
  /// Who has seen a later version than is seen here has the session's node asked: what that says holds.
  func whenOpen(
    _ use: SessionFeedUse,
    seen version: Int,
    _ done: @escaping @Sendable (Opening) -> Void
  ) {
    enum Step {
      case over(Opening), open, wait, ask(Node, for: Int)
      case lookAgain(after: Int, WakeFailure)
    }
    let deadline = now + Self.patience
    // Where the lease has run out, another node may be ahead.
    let isHere = !host.isAsleep(id)
    let step: Step = state.withLock { state in
      if let result = state.result { return .over(result) }
      let current = feed.current.snapshot?.version
      switch state.origin {
      case .here where current != nil && isHere: return .open
      case .here where current != nil:
        state.waiting.add(use, until: deadline, done)
        return .lookAgain(after: state.search, .leaseOver)
      case .elsewhere(let node, _):
        if let current, current >= version { return .open }
        let waiter = state.waiting.add(
          use,
          until: deadline,
          from: current == nil ? 0 : version,
          done
        )
        return current == nil ? .wait : .ask(node, for: waiter)
      case .none where relays.readiness.phase == .draining && current != nil:
        return .over(.failed(.store(.closed)))
      case .here, .none:
        state.waiting.add(use, until: deadline, done)
        return .wait
      }
    }
    switch step {
    case .over(let result): done(result)
    case .open: done(.open(use))
    case .wait: break
    case .ask(let node, let waiter): ask(node, for: waiter)
    case .lookAgain(let search, let failure): lookAgain(after: search, failure)
    }
  }

  /// Sets the version that a waiter who has seen a later one waits for.
  func expect(_ version: Int, for waiter: Int) {
    let waiting = state.withLock { state in
      state.waiting.expect(version, for: waiter)
      let current = feed.current.snapshot?.version ?? -1
      return state.waiting.take { $0.number == waiter && $0.version <= current }
    }
    for waiter in waiting { waiter.done(.open(waiter.use)) }
  }

  /// Ends the streams where nothing new could be seen for so long: elsewhere they may see more.
  func endIfLost(for limit: Duration) {
    let (now, isLeaseHeld) = (now, host.isLeaseHeld)
    let isLost = state.withLock { state in
      if case .here = state.origin { state.lostAt = isLeaseHeld ? nil : state.lostAt ?? now }
      return state.lostAt.map { now - $0 >= limit } ?? false
    }
    if isLost { finish(.failed(.store(.unreachable("its node is lost")))) }
  }

  // MARK: Looking for the session

  func begin() {
    look()
  }

  private func look() {
    let search: Int? = state.withLock { state in
      state.search += 1
      return state.isOver ? nil : state.search
    }
    guard let search else { return }
    relays.searches.enter { [self] leave in
      host.wake([id]) { [self] failure in
        found(failure, search)
        leave()
      }
    }
  }

  private func found(_ failure: WakeFailure?, _ search: Int) {
    switch failure {
    case nil:
      switch host.find(id) {
      case .live(let session): follow(session, search)
      case .ended(let end): finish(.ended(end))
      case .unknown: finish(.unknown)
      case .asleep: lookAgain(after: search, .store(.unreachable("it fell asleep")))
      }
    case .elsewhere(let node): follow(on: node, search)
    // Who has seen nothing yet may as well ask another node.
    case .unreadableHere(let name) where feed.current.snapshot == nil:
      finish(.failed(.unreadableHere(viewModel: name)))
    case let failure?: lookAgain(after: search, failure)
    }
  }

  /// A search has come to nothing, or what it has found is no more.
  func lookAgain(after search: Int, _ failure: WakeFailure) {
    let now = now
    let (origin, failures): (Origin, Int?) = state.withLock { state in
      guard state.search == search, !state.isOver else { return (.none, nil) }
      state.search += 1
      state.failures += 1
      state.lostAt = state.lostAt ?? now
      state.waiting.expectAny()
      defer { state.origin = .none }
      return (state.origin, state.failures)
    }
    guard let failures else { return }
    leave(origin)
    host.forgetLocation(of: id)
    let isDraining = relays.readiness.phase == .draining
    if feed.current.snapshot == nil, isDraining || now >= deadline {
      return finish(.failed(failure))
    }
    tell(.failed(failure)) { isDraining || now >= $0.deadline }
    // Its streams are about to be closed.
    if isDraining { return }
    let pause = Backoff.pause(after: failures, of: id, longest: .seconds(1))
    _ = host.timeouts.start(after: pause) { [weak self] in self?.look() }
  }

  /// There is nothing to see any more.
  func finish(_ opening: Opening) {
    state.withLock { $0.result = opening }
    relays.close(self, ifUnused: false)
    switch opening {
    case .ended(let end): feed.end(end)
    case .unknown: feed.end(.expired)
    case .failed: feed.move()
    case .open: break
    }
    tell(opening) { _ in true }
  }

  func tell(_ opening: Opening, where isMeant: (SessionFeedWaiters.Waiter) -> Bool) {
    let waiting = state.withLock { $0.waiting.take(where: isMeant) }
    for waiter in waiting { waiter.done(opening) }
  }

  /// Called by ``SessionFeedProxies``, which has forgotten it.
  func stop() {
    let origin = state.withLock { state in
      state.isOver = true
      defer { state.origin = .none }
      return state.origin
    }
    leave(origin)
  }

  private func leave(_ origin: Origin) {
    switch origin {
    case .none: break
    case .here(let session, let following):
      session.feed.unfollow(following)
      session.endUse()
    case .elsewhere(_, let upstream):
      upstream.cancel()
      relays.metrics.followed.subtract(1, ordering: .relaxed)
    }
  }

  /// False, and nothing is kept, where the search does not count any more.
  func keep(_ origin: Origin, of search: Int) -> Bool {
    let isKept = state.withLock { state in
      guard state.search == search, !state.isOver else { return false }
      state.origin = origin
      return true
    }
    if !isKept { leave(origin) }
    return isKept
  }

  func show(_ snapshot: Snapshot, of search: Int) {
    feed.show(snapshot)
    let waiting = state.withLock { state in
      guard state.search == search else { return [SessionFeedWaiters.Waiter]() }
      state.failures = 0
      state.lostAt = nil
      return state.waiting.take { $0.version <= snapshot.version }
    }
    for waiter in waiting { waiter.done(.open(waiter.use)) }
  }
}

extension SessionFeedProxy: Follower {
  /// The one that is about to be replaced must be seen here, too.
  func willReplace(_ snapshot: Snapshot, of feed: SnapshotFeed) {
    self.feed.show(snapshot)
  }
}
