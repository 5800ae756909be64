import FusionSessions
import Synchronization
import UIFusionKit

/// One session as the streams of this node see it, wherever it is at work: here, or on another node, which
/// may change.
///
/// Its feed lives as long as anybody follows it. While the session's node is looked for, the feed shows what
/// was seen last, and then goes on with a later version.
final class Relay: StreamSource {
  private enum Origin {
    case none
    case here(Session, SnapshotFeed.Following)
    case elsewhere(Node, any Upstream)
  }

  /// Who wants to see the session, and for how long he waits for it.
  private struct Waiter {
    let use: RelayUse
    let deadline: Duration
    let done: @Sendable (Opening) -> Void
  }

  private struct State {
    var origin = Origin.none
    /// Which search counts: what comes of earlier ones does not.
    var search = 0
    /// Searches that came to nothing, one after another.
    var failures = 0
    var uses = 0
    var waiting: [Waiter] = []
    var isOver = false
    /// What came of it, once there is nothing to see any more.
    var result: Opening?
  }

  let id: SessionID
  let feed = SnapshotFeed()
  private let relays: Relays
  private let state = Mutex(State())
  /// Until when those who came first wait.
  private let deadline: Duration

  /// Made only by ``Relays``.
  init(_ id: SessionID, _ relays: Relays) {
    self.id = id
    self.relays = relays
    deadline = relays.host.dependencies.time.now + Self.patience
  }

  /// Longer than any lease.
  private static let patience = Duration.seconds(5)

  private var host: SessionHost { relays.host }
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

  /// Streams have a ``RelayUse``, from before they are opened.
  func beginUse() {}
  func endUse() {}

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
  /// Who has seen a later version than is seen here does not wait for it: the session is looked for anew,
  /// and what its node says then holds.
  func whenOpen(
    _ use: RelayUse,
    seen version: Int,
    _ done: @escaping @Sendable (Opening) -> Void
  ) {
    enum Step { case over(Opening), open, wait, lookAgain(after: Int, SessionHost.WakeFailure) }
    let waiter = Waiter(use: use, deadline: now + Self.patience, done: done)
    // Where the lease has run out, another node may be ahead.
    let isHere = !host.isAsleep(id)
    let step: Step = state.withLock { state in
      if let result = state.result { return .over(result) }
      let current = feed.current.snapshot?.version
      switch state.origin {
      case .here where current != nil && isHere: return .open
      case .here where current != nil:
        state.waiting.append(waiter)
        return .lookAgain(after: state.search, .leaseOver)
      case .elsewhere(let node, _):
        if let current, current >= version { return .open }
        state.waiting.append(waiter)
        return current == nil ? .wait : .lookAgain(after: state.search, .elsewhere(node))
      case .none where relays.readiness.phase == .draining && current != nil:
        return .over(.failed(.store(.closed)))
      case .here, .none:
        state.waiting.append(waiter)
        return .wait
      }
    }
    switch step {
    case .over(let result): done(result)
    case .open: done(.open(use))
    case .wait: break
    case .lookAgain(let search, let failure): lookAgain(after: search, failure)
    }
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
    host.wake([id]) { [self] failure in
      switch failure {
      case nil:
        switch host.find(id) {
        case .live(let session): follow(session, search)
        case .ended(let end): finish(.ended(end))
        case .unknown: finish(.unknown)
        case .asleep: lookAgain(after: search, .store(.unreachable("it fell asleep")))
        }
      case .elsewhere(let node): follow(on: node, search)
      case let failure?: lookAgain(after: search, failure)
      }
    }
  }

  /// A search has come to nothing, or what it has found is no more.
  private func lookAgain(after search: Int, _ failure: SessionHost.WakeFailure) {
    let (origin, failures): (Origin, Int?) = state.withLock { state in
      guard state.search == search, !state.isOver else { return (.none, nil) }
      state.search += 1
      state.failures += 1
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
    tell(.failed(failure)) { [now] in isDraining || now >= $0.deadline }
    // Its streams are about to be closed.
    if isDraining { return }
    // At once the first time: it may just have moved.
    let pause = Duration.milliseconds([0, 20, 100, 250][min(failures - 1, 3)])
    _ = host.timeouts.start(after: pause) { [weak self] in self?.look() }
  }

  /// There is nothing to see any more.
  private func finish(_ opening: Opening) {
    state.withLock { $0.result = opening }
    relays.close(self, ifUnused: false)
    switch opening {
    case .ended(let end): feed.end(end)
    case .unknown: feed.end(.expired)
    case .open, .failed: break
    }
    tell(opening) { _ in true }
  }

  private func tell(_ opening: Opening, where isMeant: (Waiter) -> Bool) {
    let waiting = state.withLock { state in
      let told = state.waiting.filter(isMeant)
      state.waiting.removeAll(where: isMeant)
      return told
    }
    for waiter in waiting { waiter.done(opening) }
  }

  /// Called by ``Relays``, which has forgotten it.
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
    case .elsewhere(_, let upstream): upstream.cancel()
    }
  }

  /// False, and nothing is kept, where the search does not count any more.
  private func keep(_ origin: Origin, of search: Int) -> Bool {
    let isKept = state.withLock { state in
      guard state.search == search, !state.isOver else { return false }
      state.origin = origin
      return true
    }
    if !isKept { leave(origin) }
    return isKept
  }

  private func show(_ snapshot: Snapshot, of search: Int) {
    feed.show(snapshot)
    let waiting = state.withLock { state in
      guard state.search == search else { return [Waiter]() }
      state.failures = 0
      defer { state.waiting = [] }
      return state.waiting
    }
    for waiter in waiting { waiter.done(.open(waiter.use)) }
  }

  // MARK: Here

  private func follow(_ session: Session, _ search: Int) {
    session.beginUse()
    let following = session.feed.follow(self) { [weak self] in self?.look(at: session, search) }
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

  // MARK: Elsewhere

  private func follow(on node: Node, _ search: Int) {
    let failure = SessionHost.WakeFailure.elsewhere(node)
    // What has not begun by then is looked for anew: its node may be one that does not run any more.
    let timeout = host.timeouts.start(after: .seconds(2)) { [weak self] in
      self?.lookAgain(after: search, failure)
    }
    let remote = RemoteFeed { [weak self, host] event in
      host.timeouts.stop(timeout)
      switch event {
      case .state(let version, let pulses, let state):
        self?.show(version, pulses, state, of: search)
      case .end(let end): self?.finish(.ended(end))
      case nil: self?.lookAgain(after: search, failure)
      }
    }
    let upstream = relays.forwarding.follow(id, on: node) { remote.take($0) }
    _ = keep(.elsewhere(node, upstream), of: search)
  }

  private func show(_ version: Int, _ pulses: UInt64, _ state: [UInt8], of search: Int) {
    let previous = feed.current.snapshot
    show(Snapshot(version: version, state: state, pulses: pulses, after: previous), of: search)
  }
}

extension Relay: Follower {
  /// The one that is about to be replaced must be seen here, too.
  func willReplace(_ snapshot: Snapshot, of feed: SnapshotFeed) {
    self.feed.show(snapshot)
  }
}
