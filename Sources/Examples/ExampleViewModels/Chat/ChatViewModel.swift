package import UIFusionKit

/// A chat with all who are connected (the asynchronous pattern, with work in the background).
package final class ChatViewModel: AsyncViewModel {
  static let mostMessages = 100
  private static let connecting = "연결 중..."

  package var state = State()
  private let topics: Topics
  /// What is said in the room; nil while disconnected, and no State, as it does not outlive a restart.
  private var messages: TopicSubscription<ChatMessage>?
  private var name = ""

  package init(topics: Topics) {
    self.topics = topics
  }

  /// A connection lasts as long as it likes: nobody waits for its end, and nothing waits behind it.
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

  /// It left the room with the process, and may come back by connecting.
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

  /// The whole life of a connection: to `disconnect`, or the end of the session, which cancels this task.
  private func connect(as name: String) async throws {
    guard self.messages == nil else { throw ChatError.alreadyConnected }
    // A session that does not keep up would drop older messages anyway.
    let messages = topics.subscribe(to: ChatMessage.room, bufferingNewest: Self.mostMessages)
    self.messages = messages
    self.name = name
    state.status = Self.connecting
    // Lets it be seen, and whoever has changed his mind disconnect, and even connect again.
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
    // Not asked of the subscription, which is gone after a restart, when State still shows a connection.
    guard state.isConnected || state.status == Self.connecting else { return }
    state.isConnected = false
    state.status = "연결 끊김"
  }

  private func send(_ text: String) throws {
    guard messages != nil, state.isConnected else { throw ChatError.notConnected }
    // It comes back like anybody's, so that all see the same order.
    topics.publish(ChatMessage(from: name, text: text), to: ChatMessage.room)
  }
}
