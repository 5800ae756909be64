import FusionSessions

/// Keeps a relay in sight of its session, for as long as it is kept itself.
final class SessionFeedUse: Sendable {
  let relay: SessionFeedProxy

  /// Made only by ``SessionFeedProxies``.
  init(of relay: SessionFeedProxy) {
    self.relay = relay
    relay.addUse()
  }

  deinit {
    relay.dropUse()
  }
}

extension SessionFeedProxy {
  /// What came of looking for a session.
  enum Opening: Sendable {
    /// It is seen, for as long as the use is kept.
    case open(SessionFeedUse)
    case ended(SessionEnd)
    case unknown
    case failed(WakeFailure)
  }
}
