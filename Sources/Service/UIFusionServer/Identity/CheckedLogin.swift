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
  /// The name of the cookie's login, from the first logout on: reading it takes longer than looking it up.
  private let name = Mutex<String?>(nil)

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
    guard !hasEnded else { return false }
    let readings = authenticator.readings
    guard readings != self.readings.load(ordering: .relaxed) else { return true }
    guard let found = authenticator.identity(by: proof),
      found.id.utf8.elementsEqual(identity.id.utf8), found.expires == identity.expires
    else { return false }
    self.readings.store(readings, ordering: .relaxed)
    return true
  }

  /// Whether the user has logged out.
  private var hasEnded: Bool {
    guard case .cookie(let cookie)? = proof, let cookies = authenticator.cookies,
      !cookies.ended.isEmpty
    else { return false }
    let name = name.withLock { name in
      name = name ?? cookies.name(of: cookie)
      return name
    }
    return name.map(cookies.ended.contains) == true
  }

  var secondsLeft: Double? {
    identity.expires.map { $0.timeIntervalSince(authenticator.date()) }
  }
}
