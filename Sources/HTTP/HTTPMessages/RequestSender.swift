/// The sender of a request, where the service knows it.
package final class RequestSender: Sendable {
  /// The program that hosts the service, which may use everything.
  package static let program = RequestSender(identity: nil)

  /// The id of the sender's identity; nil for the program, and for a session that belongs to nobody.
  package let identity: String?
  /// The sender's name for people to read; nil where it is not known, or another node has passed the request on.
  package let name: String?
  /// The id of the session that sends a message; nil for any other sender.
  package let session: String?
  /// The login by which the sender is known; nil for one that does not end.
  package let login: (any SenderLogin)?
  /// The identity in the form of the program's own code; nil where another node has passed the request on.
  package let details: (any Sendable)?

  private init(identity: String?) {
    self.identity = identity
    (name, session, login, details) = (nil, nil, nil, nil)
  }

  package init(
    _ identity: String,
    name: String? = nil,
    login: (any SenderLogin)? = nil,
    details: (any Sendable)? = nil
  ) {
    self.identity = identity
    self.name = name
    self.login = login
    self.details = details
    session = nil
  }

  /// Creates the sender of a session's message, who may use what the session's identity may.
  package init(session: String, of identity: String?) {
    (self.session, self.identity) = (session, identity)
    (name, login, details) = (nil, nil, nil)
  }
}

/// The login of a sender: what says who sends a request, which may expire or be revoked after the request.
///
/// A class, so that what keeps one stays small.
package protocol SenderLogin: AnyObject, Sendable {
  /// Whether the same request would still have the same sender.
  var stands: Bool { get }
  /// The time until the login expires, in seconds; nil for never.
  var secondsLeft: Double? { get }
}

extension RequestSender? {
  /// Returns whether the sender, if any, may use what belongs to an identity; anyone may use what belongs to nil.
  ///
  /// Identities compare by their bytes: two spellings of one text are two identities.
  package func mayUse(_ identity: String?) -> Bool {
    guard let identity, self !== RequestSender.program else { return true }
    return self?.identity?.utf8.elementsEqual(identity.utf8) == true
  }
}
