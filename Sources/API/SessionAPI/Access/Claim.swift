import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions

/// A sender's claim to a right in a session, made directly or by a share.
///
/// The session's node checks it against the session's owner: see ``holds(forSessionOf:)`` and ``Grant``.
struct Claim: Sendable {
  let id: SessionID
  let right: Right
  let sender: RequestSender?
  /// The share that includes the right; nil if the sender names the session itself.
  let share: StoredShare?

  init(_ right: Right, to id: SessionID, by sender: RequestSender?) {
    (self.right, self.id, self.sender) = (right, id, sender)
    share = nil
  }

  /// Creates the claim of a share's holder; nil if the share does not include the right.
  init?(_ right: Right, by share: StoredShare, of sender: RequestSender?) {
    guard let role = right.role, share.role >= role else { return nil }
    (self.right, id, self.sender, self.share) = (right, share.session, sender, share)
  }

  /// The id by which the client knows the session.
  var shownID: String { share?.id.description ?? id.description }

  /// Returns whether the claim holds for a session of an identity; nil stands for sessions of anyone who has the
  /// id.
  func holds(forSessionOf identity: String?) -> Bool {
    share != nil || isOwner(of: identity)
  }

  /// Returns whether the sender may use an identity's sessions without a share.
  ///
  /// Identities are compared by their bytes: two spellings of one text are two identities.
  private func isOwner(of identity: String?) -> Bool {
    guard let identity, sender !== RequestSender.program else { return true }
    return sender?.identity?.utf8.elementsEqual(identity.utf8) == true
  }

  /// Returns whether only the share lets the sender use a session of an identity.
  func isForeign(toSessionOf identity: String?) -> Bool { !isOwner(of: identity) }
}

/// A session that is awake on this node, with a claim that holds for it: the only way in which a resource gets
/// a session.
struct Grant: Sendable {
  let claim: Claim
  let session: Session

  /// Creates a grant; throws 404 if the claim does not hold, as if the session did not exist.
  init(_ claim: Claim, to session: Session) throws(Problem) {
    guard claim.holds(forSessionOf: session.identity) else { throw .unknownSession }
    (self.claim, self.session) = (claim, session)
  }

  var share: StoredShare? { claim.share }
  /// Whether only a share lets the sender use the session.
  var isForeign: Bool { claim.isForeign(toSessionOf: session.identity) }
}
