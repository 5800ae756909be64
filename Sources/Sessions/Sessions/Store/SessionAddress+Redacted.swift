package import UIFusionKit

extension SessionAddress {
  /// The address for logs and traces; of an id only its beginning, since the id gives access to the session.
  package var redacted: String {
    if case .id(let id) = form { return SessionID(id)?.redacted ?? "…" }
    return description
  }
}
