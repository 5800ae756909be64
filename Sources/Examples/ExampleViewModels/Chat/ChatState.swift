package import UIFusionKit

extension ChatViewModel {
  /// The state that clients see.
  package struct State: Codable, Equatable, Sendable {
    package var isConnected = false
    package var status = ""
    /// The newest messages, the newest last.
    package var messages: [ChatMessage] = []
    package var activeAlert: Alert?
    /// The people in the room, this session's among them.
    package var people: [ChatPerson] = []
  }

  /// A message that stays until it is dismissed.
  package struct Alert: Codable, Equatable, Sendable {
    /// The style in which to show the message.
    package enum Kind: String, Codable, Sendable {
      case info, error
    }

    package let kind: Kind
    package let message: String

    package static func info(_ message: String) -> Alert { Alert(kind: .info, message: message) }
    package static func error(_ message: String) -> Alert { Alert(kind: .error, message: message) }
  }

  /// The inputs that clients send, and the one by which the service tells of visitors.
  package enum Input: Codable, Equatable, Sendable {
    case connect(name: String), disconnect, send(String), typing(Bool), dismissAlert
    case presence(PresenceChange)
  }

  /// The actions that inputs lead to.
  package enum Action: Codable, Equatable, Sendable {
    case connect(name: String), disconnect, send(String), typing(Bool), dismissAlert
    case presence(PresenceChange)
  }

  enum ChatError: String, Error, CustomStringConvertible {
    case notConnected = "웹소켓에 연결되어 있지 않습니다"
    case alreadyConnected = "이미 연결 중이거나 연결되어 있습니다"

    var description: String { rawValue }
  }
}
