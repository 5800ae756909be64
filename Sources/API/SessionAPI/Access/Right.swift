import FusionSessions

/// A use of a session that a sender asks for.
enum Right: Sendable, CaseIterable {
  /// To see State, and to follow it.
  case read
  /// To send Inputs.
  case send
  case end
  /// To make, list and revoke shares.
  case share
  /// To read the trace and stored versions.
  case inspect
  case fork

  /// The lowest role whose shares include the right; nil if no share does.
  var role: ShareRole? {
    switch self {
    case .read: .observer
    case .send: .driver
    case .end, .share, .inspect, .fork: nil
    }
  }
}
