import FusionSessions
import UIFusionKit

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

  /// The use about which a view model's rule is asked, in addition to reading; nil if there is none, or the Inputs
  /// have to be known.
  var use: SessionUse<Never>? {
    switch self {
    case .read, .send: nil
    case .end: .end
    case .share: .share
    case .inspect: .inspect
    case .fork: .fork
    }
  }

  /// The lowest role whose shares include the right; nil if no share does.
  var role: ShareRole? {
    switch self {
    case .read: .observer
    case .send: .driver
    case .end, .share, .inspect, .fork: nil
    }
  }
}
