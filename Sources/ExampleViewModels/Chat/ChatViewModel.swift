package import UIFusionKit

/// A chat with all who are connected (the asynchronous pattern, with work in the background).
package final class ChatViewModel: AsyncViewModel {
  static let mostMessages = 100
  private static let connecting = "연결 중..."

  package var state = State()
  private let room: ChatRoom
  /// Nil while disconnected; no State, as no client sees it and it does not outlive a restart.
  private var seat: ChatRoom.Seat?

  package init(room: ChatRoom) {
    self.room = room
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

  /// Its seat in the room is gone with the process: it may be taken again by connecting.
  package func restored(_ interrupted: Interrupted) -> [Action] {
    [.disconnect]
  }

  package func perform(_ action: Action) async throws {
    switch action {
    case .connect(let name): try await connect(as: name)
    case .disconnect: disconnect()
    case .send(let text): try await send(text)
    case .dismissAlert: state.activeAlert = nil
    }
  }

  package func handleError(_ error: SendableError) async {
    state.activeAlert = .error(error.description)
  }

  /// The whole life of a connection, from joining the room to leaving it.
  private func connect(as name: String) async throws {
    guard seat == nil else { throw ChatError.alreadyConnected }
    let seat = ChatRoom.Seat(name: name)
    self.seat = seat
    state.status = Self.connecting
    await room.join(seat)
    await listen(on: seat)
    // Reached by every way out: `disconnect`, or the end of the session, which cancels this task.
    await room.leave(seat)
  }

  private func listen(on seat: ChatRoom.Seat) async {
    // While anything was awaited, a client may have disconnected, and even connected again.
    guard self.seat === seat else { return }
    state.isConnected = true
    state.status = "연결됨"
    state.activeAlert = .info("서버에 연결되었습니다")
    for await message in seat.messages where self.seat === seat {
      state.messages = (state.messages + [message]).suffix(Self.mostMessages)
    }
  }

  private func disconnect() {
    seat?.giveUp()
    seat = nil
    // Not asked of the seat, which is gone after a restart, when State still shows a connection.
    guard state.isConnected || state.status == Self.connecting else { return }
    state.isConnected = false
    state.status = "연결 끊김"
  }

  private func send(_ text: String) async throws {
    guard let seat, state.isConnected else { throw ChatError.notConnected }
    // It comes back like anybody's, so that all see the same order.
    await room.say(ChatMessage(from: seat.name, text: text))
  }
}
