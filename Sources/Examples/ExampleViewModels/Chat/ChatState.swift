extension ChatViewModel {
  /// What a client sees.
  package struct State: Codable, Equatable, Sendable {
    package var isConnected: Bool
    package var status: String
    /// The newest ones, the newest last.
    package var messages: [ChatMessage]
    package var activeAlert: Alert?

    package init(
      isConnected: Bool = false,
      status: String = "",
      messages: [ChatMessage] = [],
      activeAlert: Alert? = nil
    ) {
      self.isConnected = isConnected
      self.status = status
      self.messages = messages
      self.activeAlert = activeAlert
    }
  }

  /// A message that stays until it is dismissed.
  package struct Alert: Codable, Equatable, Sendable {
    /// How the message is to be shown.
    package enum Kind: String, Codable, Sendable {
      case info, error
    }

    package let kind: Kind
    package let message: String

    package static func info(_ message: String) -> Alert { Alert(kind: .info, message: message) }
    package static func error(_ message: String) -> Alert { Alert(kind: .error, message: message) }
  }

  /// What a client may ask for.
  package enum Input: Codable, Equatable, Sendable {
    case connect(name: String), disconnect, send(String), dismissAlert
  }

  /// What is done about it.
  package enum Action: Codable, Equatable, Sendable {
    case connect(name: String), disconnect, send(String), dismissAlert
  }

  enum ChatError: String, Error, CustomStringConvertible {
    case notConnected = "웹소켓에 연결되어 있지 않습니다"
    case alreadyConnected = "이미 연결 중이거나 연결되어 있습니다"

    var description: String { rawValue }
  }
}
