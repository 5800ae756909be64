import FusionHTTPMessages
import FusionSessions
public import UIFusionKit

/// A function that finds out who sends a request; nil if unknown.
///
/// An ``HTTPError`` that it throws is the answer.
public typealias Authenticate = @Sendable (_ request: Request) async throws -> Identity?

extension Identity {
  /// The most bytes of UTF-8 that name, roles and claims may have together: nodes send them to each other in a header.
  static let sizeLimit = 8_192

  /// Whether the id has a length and characters that an id may have, and the rest is not too large.
  var isValid: Bool {
    let texts = Array(roles) + claims.flatMap { [$0, $1] } + [name ?? ""]
    return SessionName.isName(id) && texts.reduce(0) { $0 + $1.utf8.count } <= Self.sizeLimit
  }

  func sender(by login: (any SenderLogin)? = nil) -> RequestSender {
    RequestSender(id, name: name, login: login, details: self)
  }
}
