import FusionSessions

/// Keeps a relay in sight of its session, for as long as it is kept itself.
final class RelayUse: Sendable {
  let relay: Relay

  /// Made only by ``Relays``.
  init(of relay: Relay) {
    self.relay = relay
    relay.addUse()
  }

  deinit {
    relay.dropUse()
  }
}

extension Relay {
  /// What came of looking for a session.
  enum Opening: Sendable {
    /// It is seen, for as long as the use is kept.
    case open(RelayUse)
    case ended(SessionEnd)
    case unknown
    case failed(SessionHost.WakeFailure)
  }
}
