import FusionSessionAPI
import FusionSessions

/// A session as a stream sees it through a ``SessionFeedProxy``, which is in use for as long as this object lives.
final class SessionFeedUse: StreamSource {
  let relay: SessionFeedProxy

  /// Made only by ``SessionFeedProxies``.
  init(of relay: SessionFeedProxy) {
    self.relay = relay
    relay.addUse()
  }

  var id: SessionID { relay.id }
  var feed: SnapshotFeed { relay.feed }

  func requireMemory(forBody size: Int) throws(MemoryFull) {
    try relay.requireMemory(forBody: size)
  }

  /// Does nothing: the object itself is the use.
  func beginUse() {}
  func endUse() {}

  deinit {
    relay.dropUse()
  }
}

extension SessionFeedProxy {
  /// The result of a search for a session.
  enum Opening: Sendable {
    /// It is seen, for as long as the use is kept.
    case open(SessionFeedUse)
    case ended(SessionEnd)
    case unknown
    case failed(WakeFailure)
  }
}
