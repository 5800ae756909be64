import UIFusionKit

/// An event in the chat's one room.
enum ChatEvent: Codable, Equatable, Sendable {
  case message(ChatMessage)
  /// Repeated while the sender's session has a visitor.
  case here(ChatPerson)
  case gone(id: String)

  static let room: Topic<ChatEvent> = "chat/events"
}

/// A message in the chat's room.
package struct ChatMessage: Codable, Equatable, Sendable {
  package let from: String
  package let text: String
}

/// A person in the chat's room whose session has a visitor.
package struct ChatPerson: Codable, Equatable, Sendable {
  /// The interval at which a person's presence is repeated.
  static let beat = Duration.seconds(5)
  /// The time after which a silent person counts as gone: the process may have ended.
  static let timeout = Duration.seconds(12)
  /// The time after the last keystroke for which a person counts as typing.
  static let typingTime = Duration.seconds(5)
  /// The number of people up to which each greets a newcomer; with more, all repeat their presence less often.
  static let fewPeople = 20
  /// The most people in State.
  static let mostShown = 100

  package let id: String
  package let name: String
  package var isTyping = false
}

/// The people who were heard of, in the order in which they came.
struct ChatPeople {
  private var list: [(person: ChatPerson, heard: Duration)] = []

  var count: Int { list.count }
  /// The people to be shown.
  var shown: [ChatPerson] { list.prefix(ChatPerson.mostShown).map(\.person) }
  /// The factor by which people repeat their presence less often.
  var pace: Int { max(1, list.count / ChatPerson.fewPeople) }

  /// Takes an event; returns whether it came from a new person.
  mutating func hear(_ event: ChatEvent, _ now: Duration) -> Bool {
    var isNew = false
    switch event {
    case .message: break
    case .gone(let id): list.removeAll { $0.person.id == id }
    case .here(let person):
      let place = list.firstIndex { $0.person.id == person.id }
      isNew = place == nil
      if let place { list[place] = (person, now) } else { list.append((person, now)) }
    }
    let timeout = ChatPerson.timeout * pace
    list.removeAll { $0.heard + timeout < now }
    return isNew
  }
}
