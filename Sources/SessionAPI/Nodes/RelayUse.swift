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
