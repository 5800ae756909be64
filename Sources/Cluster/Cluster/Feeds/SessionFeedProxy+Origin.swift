import FusionSessions
import Synchronization

/// Where a relay sees its session.
extension SessionFeedProxy {
  /// A node that has a session shows it within this time.
  private static let readTime = Duration.seconds(2)

  func follow(_ session: Session, _ search: Int) {
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

  func follow(on node: Node, _ search: Int) {
    let failure = WakeFailure.elsewhere(node)
    // What has not begun by then is looked for anew: its node may be one that does not run any more.
    let timeout = host.timeouts.start(after: Self.readTime) { [weak self] in
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
    relays.metrics.followed.add(1, ordering: .relaxed)
    _ = keep(.elsewhere(node, upstream), of: search)
  }

  private func show(_ version: Int, _ pulses: UInt64, _ state: [UInt8], of search: Int) {
    let previous = feed.current.snapshot
    show(Snapshot(version: version, state: state, pulses: pulses, after: previous), of: search)
  }

  /// Asks the node for its current version, for a client that has seen a later version than this node.
  ///
  /// That is beside the stream that the others have: who is mistaken does not take it from them. Where the
  /// node does not answer, that stream is about to end as well, and he waits for what comes after it.
  func ask(_ node: Node, for waiter: Int) {
    let inquiry = VersionProbe()
    let remote = RemoteFeed { [weak self] item in
      guard inquiry.end() else { return }
      switch item {
      case .state(let version, _, _): self?.expect(version, for: waiter)
      case .end(let end): self?.tell(.ended(end)) { $0.number == waiter }
      case nil: break
      }
    }
    _ = host.timeouts.start(after: Self.patience) { [weak self] in
      _ = inquiry.end()
      self?.tell(.failed(.elsewhere(node))) { $0.number == waiter }
    }
    inquiry.begin(relays.forwarding.follow(id, on: node) { remote.take($0) })
  }
}
