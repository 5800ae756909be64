import FoundationEssentials
import FusionHTTPMessages
import Synchronization
import UIFusionKit

/// The login of a request's sender, which may expire or be revoked while the response goes on.
///
/// A function of the program is not asked again: its identity is valid until it expires.
final class CheckedLogin: SenderLogin {
  /// A token or a cookie, which proves who sends a request.
  enum Proof: Sendable {
    case token(String)
    /// A cookie with its name.
    case cookie(String)
  }

  private let identity: Identity
  private let proof: Proof?
  private let authenticator: Authenticator
  /// The authenticator's count of readings for which the login is known to be valid.
  private let readings: Atomic<Int>

  init(
    of identity: Identity,
    _ authenticator: Authenticator,
    by proof: Proof? = nil,
    readings: Int = 0
  ) {
    (self.identity, self.proof, self.authenticator) = (identity, proof, authenticator)
    self.readings = Atomic(readings)
  }

  var stands: Bool {
    guard identity.expires.map({ $0 > authenticator.date() }) != false else { return false }
    guard let proof else { return true }
    guard !authenticator.hasEnded(proof) else { return false }
    let readings = authenticator.readings
    guard readings != self.readings.load(ordering: .relaxed) else { return true }
    guard let found = authenticator.identity(by: proof),
      found.id.utf8.elementsEqual(identity.id.utf8), found.expires == identity.expires
    else { return false }
    self.readings.store(readings, ordering: .relaxed)
    return true
  }

  var secondsLeft: Double? {
    identity.expires.map { $0.timeIntervalSince(authenticator.date()) }
  }
}
