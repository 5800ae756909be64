package import FusionHTTPMessages
package import UIFusionKit

extension RequestSender {
  /// The sender's identity with all that is known of it: of a session's message, the id alone; nil for the program, and
  /// for a session that belongs to nobody.
  package var person: Identity? { details as? Identity ?? identity.map { Identity(id: $0) } }
}
