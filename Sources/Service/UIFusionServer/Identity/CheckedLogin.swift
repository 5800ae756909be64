import FoundationEssentials
import FusionHTTPMessages
import Synchronization

/// The login of a request's sender: how it was found out who that is, which may expire or be revoked while the answer
/// goes on.
///
/// A function of the program is not asked again: what it says holds until the identity expires.
final class CheckedLogin: SenderLogin {
  /// A token or a cookie, which says by itself who sends a request.
  enum Proof: Sendable {
    case token(String)
    /// With its name.
    case cookie(String)
  }

  private let identity: Identity
  private let proof: Proof?
  private let authenticator: Authenticator
  /// The readings of the authenticator's files for which the login stands.
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
