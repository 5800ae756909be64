import UIFusionKit

/// An event in the chat's one room.
enum ChatEvent: Codable, Equatable, Sendable {
  case message(ChatMessage)
  /// Said again and again, as long as somebody looks at the sender's session.
  case here(ChatPerson)
  case gone(id: String)

  static let room: Topic<ChatEvent> = "chat/events"
}

/// A message in the chat's room.
package struct ChatMessage: Codable, Equatable, Sendable {
  package let from: String
  package let text: String
}

/// Somebody who is in the chat's room and looks at it.
package struct ChatPerson: Codable, Equatable, Sendable {
  /// The time after which a person says again to be here.
  static let beat = Duration.seconds(5)
  /// The time after which somebody who is silent has gone, as has the process.
  static let timeout = Duration.seconds(12)
  /// The time for which a person types who has sent nothing more of it.
  static let typingTime = Duration.seconds(5)
  /// The number of people up to which each greets who is new; where there are more, all speak less often.
  static let fewPeople = 20
  /// The number of people whom State shows.
  static let mostShown = 100

  package let id: String
  package let name: String
  package var isTyping = false
}

/// The people of whom something was heard, in the order in which they came.
struct ChatPeople {
  private var list: [(person: ChatPerson, heard: Duration)] = []

  var count: Int { list.count }
  /// The people to be shown.
  var shown: [ChatPerson] { list.prefix(ChatPerson.mostShown).map(\.person) }
  /// The factor by which people say less often that they are here.
  var pace: Int { max(1, list.count / ChatPerson.fewPeople) }

  /// Takes an event; returns whether it was of somebody new.
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
