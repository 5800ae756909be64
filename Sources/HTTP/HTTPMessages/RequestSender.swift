/// The known sender of a request.
package final class RequestSender: Sendable {
  /// The program that hosts the service, which may use all sessions.
  package static let program = RequestSender(identity: nil)

  /// The id of the sender's identity; nil for the program, and for a session without an identity.
  package let identity: String?
  /// The sender's display name; nil if it is unknown.
  package let name: String?
  /// The id of the session that sends a message; nil for other senders.
  package let session: String?
  /// Whether the session answers a message of the receiver, which may be used for that, whoever it belongs to.
  package let isReply: Bool
  /// The login that identifies the sender; nil if the sender has none that can end.
  package let login: (any SenderLogin)?
  /// The identity with all that is known of it, as a value of a type that is not known here; nil for the program and
  /// sessions.
  package let details: (any Sendable)?

  private init(identity: String?) {
    self.identity = identity
    (name, session, login, details) = (nil, nil, nil, nil)
    isReply = false
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
    (session, isReply) = (nil, false)
  }

  /// Creates the sender of a session's message, with the rights of the session's identity.
  package init(session: String, of identity: String?, isReply: Bool = false) {
    (self.session, self.identity, self.isReply) = (session, identity, isReply)
    (name, login, details) = (nil, nil, nil)
  }
}

/// The login that identifies a sender, and may expire or be revoked after the request.
///
/// A class, so that a reference to it is small.
package protocol SenderLogin: AnyObject, Sendable {
  /// Whether the same request would still have the same sender.
  var stands: Bool { get }
  /// The time until the login expires, in seconds; nil if it never does.
  var secondsLeft: Double? { get }
}
