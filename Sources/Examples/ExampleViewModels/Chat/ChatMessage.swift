package import UIFusionKit

/// What somebody said.
package struct ChatMessage: Codable, Equatable, Sendable {
  /// Where all who are connected hear it: the room of the whole service.
  package static let room: Topic<ChatMessage> = "chat/room"

  package let from: String
  package let text: String

  package init(from: String, text: String) {
    self.from = from
    self.text = text
  }
}
