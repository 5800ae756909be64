package import FusionHTTPMessages
import FusionSessions
package import UIFusionKit

extension RequestSender {
  /// The sender's identity with all that is known of it, except when it expires: of a session's message, the id alone;
  /// nil for the program, and for a session that belongs to nobody.
  package var person: Identity? { details as? Identity ?? identity.map { Identity(id: $0) } }

  /// The creator of the sessions of nobody's that the sender creates: see ``SessionOrigin/creator``.
  var creator: String? { self === Self.program ? SessionOrigin.program : identity }
}
