import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions

/// A session whose trace a client may follow, which the session does not notice.
struct WatchedSession: Sendable {
  /// The place of the session as the client asks for it.
  enum Place: Sendable {
    case awake
    case asleep(StoredSession)
    case elsewhere(Node)
  }

  let id: SessionID
  let place: Place
  private let host: SessionHost
  private let locator: any SessionLocator
  private let inspector: SessionInspector?

  init(
    _ id: SessionID,
    _ place: Place,
    _ host: SessionHost,
    _ locator: any SessionLocator,
    _ inspector: SessionInspector?
  ) {
    (self.id, self.place, self.host) = (id, place, host)
    (self.locator, self.inspector) = (locator, inspector)
  }

  /// Begins to watch, unless no session may be watched.
  ///
  /// `wake` is called when there are new events.
  func begin(_ wake: @escaping @Sendable () -> Void) -> SessionTrace.Following? {
    host.watcher.watch(id, wake)
  }

  func end(_ following: SessionTrace.Following) { host.watcher.unwatch(id, following) }

  /// The reason why the session has ended; nil if it has not, as far as this node knows.
  var sessionEnd: SessionEnd? {
    if case .ended(let end) = host.directory.peek(id) { end } else { nil }
  }

  /// Looks whether another node has woken or ended a session that is not awake here, and calls a function then.
  func lookElsewhere(_ found: @escaping @Sendable () -> Void) {
    guard host.ownership.isShared, case .asleep = host.directory.peek(id) else { return }
    inspector?.read({ [id, host] archive in
      if let owner = try archive.owner(of: id) {
        return owner.number != host.ownership.node?.number
      }
      return try !archive.contains(id)
    }) { result in
      if case .success(true) = result { found() }
    }
  }

  // MARK: On another node

  /// Asks the session's node whether it can open a stream for a request: see ``SessionLocator/ask(_:forStreamOf:_:)``.
  func ask(
    _ node: Node,
    forStreamOf request: HTTPRequest,
    _ done: @escaping @Sendable (Problem?) -> Void
  ) {
    locator.ask(node, forStreamOf: request, done)
  }

  /// Opens the node's stream for a request: see ``SessionLocator/stream(_:from:_:)``.
  func stream(
    _ request: HTTPRequest,
    from node: Node,
    _ take: @escaping @Sendable ([UInt8]?) -> Void
  ) -> @Sendable () -> Void {
    locator.stream(request, from: node, take)
  }
}
