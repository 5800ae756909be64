package import UIFusionKit

/// A message on its way, with the session that sends it.
package struct Envelope: Sendable {
  package let message: Message
  package let sender: SessionID
  /// The identity that the sender belongs to; nil where it belongs to whoever has its id.
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

extension RequestKey {
  /// Creates the key of a message, by which its receiver remembers one number for each sender; nil where it is none.
  package init?(message key: String) {
    guard let dot = key.lastIndex(of: "."), let number = Int64(key[key.index(after: dot)...]) else {
      return nil
    }
    self.init(KeyProgress.messageMark + key[..<dot], digest: KeyProgress.digest(of: number))
  }
}

/// Keys of messages: one for each sender, whose digest is the number of the last message.
extension KeyProgress {
  /// The number of senders that a session remembers, those of the last messages.
  package static let senderLimit = 10_000

  /// The beginning of their names, which a client's key cannot have.
  package static let messageMark = " "

  package static func isMessage(_ key: String) -> Bool { key.hasPrefix(messageMark) }

  /// Returns the number of a message as bytes that sort as numbers do.
  package static func digest(of number: Int64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
  }

  /// The number of the last message; nil for the key of a client.
  package var messageNumber: Int64? {
    guard Self.isMessage(key), digest.count == 8 else { return nil }
    return digest.reduce(0) { $0 << 8 | Int64($1) }
  }
}
