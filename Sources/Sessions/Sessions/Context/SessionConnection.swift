package import UIFusionKit

/// The request of a session to follow another session.
package struct FollowWish: Sendable {
  package let address: SessionAddress
  package let follower: SessionID
  /// The identity that the follower belongs to; nil if anyone with its id may use it.
  package let identity: String?
}

/// The functions by which sessions reach others, on any node.
struct SessionConnection: Sendable {
  /// Shows the newest views of a session to its follower until it is over, or the task is cancelled.
  typealias Follow =
    @Sendable (FollowWish, _ show: @escaping @Sendable (FollowedView) async -> Void) async -> Void

  /// Hands a message over to its receiver.
  let deliver: @Sendable (Envelope) async -> Delivery
  let follow: Follow
}

/// A message on its way, with the session that sends it.
package struct Envelope: Sendable {
  package let message: Message
  package let sender: SessionID
  /// The identity that the sender belongs to; nil if anyone with the sender's id may use it.
  package let identity: String?
  /// The receiver that has taken the message before, and is to be waited for a while; nil if none has.
  package var receiver: SessionID?

  /// The idempotency key of the message's request: one for each kind of address, as only messages to one address are in
  /// order.
  package var key: String {
    let kind =
      switch message.address.form {
      case .id: "i"
      case .named(_, _, let isShared): isShared ? "s" : "o"
      }
    return "\(sender).\(kind).\(message.number)"
  }
}
