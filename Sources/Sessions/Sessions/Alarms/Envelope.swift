package import UIFusionKit

/// A message on its way, with the session that sends it.
package struct Envelope: Sendable {
  package let message: Message
  package let sender: SessionID
  /// The identity that the sender belongs to; nil if anyone with the sender's id may use it.
  package let identity: String?

  /// The idempotency key of its request: another for each kind of address, as messages to one address alone are in order.
  package var key: String {
    let kind =
      switch message.address.form {
      case .id: "i"
      case .named(_, _, let isShared): isShared ? "s" : "o"
      }
    return "\(sender).\(kind).\(message.number)"
  }
}
