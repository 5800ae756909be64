package import UIFusionKit

/// A chat in one room (the asynchronous pattern, with work in the background).
package final class ChatViewModel: AsyncViewModel {
  static let mostMessages = 100
  private static let connecting = "연결 중..."

  package var state = State()
  private let topics: Topics
  /// The subscription to the room, which ends with the process; nil while disconnected.
  private var messages: TopicSubscription<ChatMessage>?
  private var name = ""

  package init(topics: Topics) {
    self.topics = topics
  }

  /// Runs a connection in the background: it lasts, and other Inputs must not wait for its end.
  package func policy(for input: Input) -> InputPolicy {
    switch input {
    case .connect: .background
    case .disconnect, .send, .dismissAlert: .inOrder
    }
  }

  package func transform(_ input: Input) async -> [Action] {
    switch input {
    case .connect(let name): [.connect(name: name)]
    case .disconnect: [.disconnect]
    case .send(let text): [.send(text)]
    case .dismissAlert: [.dismissAlert]
    }
  }

  /// Disconnects, since the connection ended with the process.
  package func restored(_ interrupted: Interrupted) -> [Action] {
    [.disconnect]
  }

  package func perform(_ action: Action) async throws {
    switch action {
    case .connect(let name): try await connect(as: name)
    case .disconnect: disconnect()
    case .send(let text): try send(text)
    case .dismissAlert: state.activeAlert = nil
    }
  }

  package func handleError(_ error: SendableError) async {
    state.activeAlert = .error(error.description)
  }

  /// Runs a connection until `disconnect`, or until the session's end cancels this task.
  private func connect(as name: String) async throws {
    guard self.messages == nil else { throw ChatError.alreadyConnected }
    // A session that falls behind would drop older messages anyway.
    let messages = topics.subscribe(to: ChatMessage.room, bufferingNewest: Self.mostMessages)
    self.messages = messages
    self.name = name
    state.status = Self.connecting
    // Shows the status, and lets the user disconnect, or even connect again, in between.
    await Task.yield()
    guard self.messages === messages else { return }
    state.isConnected = true
    state.status = "연결됨"
    state.activeAlert = .info("서버에 연결되었습니다")
    for await message in messages where self.messages === messages {
      state.messages = (state.messages + [message]).suffix(Self.mostMessages)
    }
  }

  private func disconnect() {
    messages?.cancel()
    messages = nil
    // Decided by State: after a restart there is no subscription, but State shows a connection.
    guard state.isConnected || state.status == Self.connecting else { return }
    state.isConnected = false
    state.status = "연결 끊김"
  }

  private func send(_ text: String) throws {
    guard messages != nil, state.isConnected else { throw ChatError.notConnected }
    // The message comes back through the room, so that everybody sees the same order.
    topics.publish(ChatMessage(from: name, text: text), to: ChatMessage.room)
  }
}

extension ChatViewModel {
  /// The state that clients see.
  package struct State: Codable, Equatable, Sendable {
    package var isConnected = false
    package var status = ""
    /// The newest messages, the newest last.
    package var messages: [ChatMessage] = []
    package var activeAlert: Alert?
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

  /// The inputs that clients send.
  package enum Input: Codable, Equatable, Sendable {
    case connect(name: String), disconnect, send(String), dismissAlert
  }

  /// The actions that inputs lead to.
  package enum Action: Codable, Equatable, Sendable {
    case connect(name: String), disconnect, send(String), dismissAlert
  }

  enum ChatError: String, Error, CustomStringConvertible {
    case notConnected = "웹소켓에 연결되어 있지 않습니다"
    case alreadyConnected = "이미 연결 중이거나 연결되어 있습니다"

    var description: String { rawValue }
  }
}

/// A message in the chat's room.
package struct ChatMessage: Codable, Equatable, Sendable {
  /// The topic of the service's one room.
  package static let room: Topic<ChatMessage> = "chat/room"

  package let from: String
  package let text: String
}
