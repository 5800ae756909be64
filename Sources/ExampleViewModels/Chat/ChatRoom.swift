/// A room that sessions share: what one says, all who are in it hear, in the same order.
package actor ChatRoom {
  private var seats: [ObjectIdentifier: Seat] = [:]

  package init() {}

  /// How many are in the room.
  package var count: Int { seats.count }

  func join(_ seat: Seat) {
    seats[ObjectIdentifier(seat)] = seat
  }

  func leave(_ seat: Seat) {
    seats[ObjectIdentifier(seat)] = nil
  }

  func say(_ message: ChatMessage) {
    for seat in seats.values { seat.hear(message) }
  }

  /// One session's place in the room: messages go in at one end, and come out at the other.
  final class Seat: Sendable {
    let name: String
    let messages: AsyncStream<ChatMessage>
    private let heard: AsyncStream<ChatMessage>.Continuation

    init(name: String) {
      self.name = name
      // A session that does not keep up would drop older messages anyway.
      (messages, heard) = AsyncStream.makeStream(
        bufferingPolicy: .bufferingNewest(ChatViewModel.mostMessages)
      )
    }

    func hear(_ message: ChatMessage) {
      heard.yield(message)
    }

    /// Ends `messages`.
    func giveUp() {
      heard.finish()
    }
  }
}

/// What somebody said.
package struct ChatMessage: Codable, Equatable, Sendable {
  package let from: String
  package let text: String

  package init(from: String, text: String) {
    self.from = from
    self.text = text
  }
}
