import FusionHTTPMessages
import FusionSessions
public import UIFusionKit

/// A function that finds out who sends a request; nil if unknown.
///
/// An ``HTTPError`` that it throws is the answer.
public typealias Authenticate = @Sendable (_ request: Request) async throws -> Identity?

extension Identity {
  /// The most bytes that name, roles and claims may take in the header by which nodes send them to each other: at most
  /// three for a byte of UTF-8, and eight for each text.
  private static let sizeLimit = 24_576

  /// The rule for a valid identity, in words.
  static let rule =
    "its id has 1 to 255 bytes without control characters, name, roles and claims at the most 8 KB"

  /// Whether the id has a length and characters that an id may have, and the rest is not too large.
  var isValid: Bool {
    var size = 0
    var hasNull = false
    func add(_ text: String) {
      size += 3 * text.utf8.count + 8
      hasNull = hasNull || text.utf8.contains(0)
    }
    if let name { add(name) }
    for role in roles { add(role) }
    for (name, value) in claims {
      add(name)
      add(value)
    }
    return SessionName.isName(id) && size <= Self.sizeLimit && !hasNull
  }

  func sender(by login: (any SenderLogin)? = nil) -> RequestSender {
    RequestSender(id, name: name, login: login, details: self)
  }
}
