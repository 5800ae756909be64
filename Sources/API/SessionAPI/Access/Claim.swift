import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions
import UIFusionKit

/// A sender's claim to a right in a session, made directly or by a share.
///
/// The session's node checks it against the session's origin: see ``permission(for:under:)`` and ``Grant``.
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

  /// Returns whether the sender may use a session as claimed; `rule` is the view model's.
  ///
  /// Whether Inputs may be sent depends on the Inputs, too: see ``Grant/permit(_:)``.
  func permission(for origin: SessionOrigin, under rule: AccessRule?) -> Permission {
    guard isKnown(of: origin.identity) else { return .unknown }
    guard isUnderRules else { return .granted }
    let person = rule == nil ? nil : sender?.person
    if let rule, case .denied(let reason) = rule.access(person, .read) { return .denied(reason) }
    guard let use = right.use else { return .granted }
    switch rule?.access(person, use) ?? .byDefault {
    case .denied(let reason): return .denied(reason)
    case .byDefault where right == .end && !mayEnd(origin):
      return .denied("Only whoever created this session may end it.")
    case .allowed, .byDefault: return .granted
    }
  }

  /// Returns whether the sender may end a session by default: one of their own, or one of nobody's that they or an
  /// unknown sender created.
  private func mayEnd(_ origin: SessionOrigin) -> Bool {
    guard origin.identity == nil, let creator = origin.creator else { return true }
    return sender?.identity?.hasSameBytes(as: creator) == true
  }

  /// Returns whether the sender may know of a session of an identity.
  fileprivate func isKnown(of identity: String?) -> Bool {
    share != nil || isReply || isOwner(of: identity)
  }

  /// Whether the claim is a session's that answers a message of this one.
  private var isReply: Bool { right == .send && sender?.isReply == true }

  /// Whether a view model's rule restricts the claim.
  fileprivate var isUnderRules: Bool { sender !== RequestSender.program && !isReply }

  /// Returns whether the sender may use an identity's sessions without a share.
  ///
  /// Identities are compared by their bytes: two spellings of one text are two identities.
  private func isOwner(of identity: String?) -> Bool {
    guard let identity, sender !== RequestSender.program else { return true }
    return sender?.identity?.hasSameBytes(as: identity) == true
  }

  /// Returns whether only the share lets the sender use a session of an identity.
  func isForeign(toSessionOf identity: String?) -> Bool { !isOwner(of: identity) }
}

/// A session that is awake on this node, with a claim that holds for it: the only way in which a resource gets
/// a session.
struct Grant: Sendable {
  let claim: Claim
  let session: Session

  /// Creates a grant; throws 404 if the session is not to be known to the sender, and 403 if a rule denies the use.
  init(_ claim: Claim, to session: Session) throws(Problem) {
    let rule = session.viewModel.accessRule
    // Most requests, without copying the origin.
    if rule == nil, claim.right != .end {
      guard claim.isKnown(of: session.identity) else { throw .unknownSession }
    } else {
      try claim.permission(for: session.origin, under: rule).require()
    }
    (self.claim, self.session) = (claim, session)
  }

  /// Throws 403 if the view model's rule denies one of the Inputs to the sender, whatever State is; names its index in a
  /// batch.
  func permit(_ inputs: InputBatch) throws(Problem) {
    guard let rule = session.viewModel.accessRule, claim.isUnderRules,
      let (index, reason) = rule.refusal(claim.sender?.person, inputs)
    else { return }
    let problem = Problem.notPermitted.detailed(reason)
    throw inputs.count > 1 ? problem.adding("index", json: Array("\(index)".utf8)) : problem
  }

  var share: StoredShare? { claim.share }
  /// Whether the view model has a rule that restricts the claim.
  var isUnderRules: Bool { session.viewModel.accessRule != nil && claim.isUnderRules }
  /// Whether only a share lets the sender use the session.
  var isForeign: Bool { claim.isForeign(toSessionOf: session.identity) }
}

extension Permission {
  /// Throws 404 for a session that is unknown to whoever asks, and 403 with the sentence that denies the use.
  func require() throws(Problem) {
    switch self {
    case .granted: break
    case .unknown: throw .unknownSession
    case .denied(let reason): throw .notPermitted.detailed(reason)
    }
  }
}
