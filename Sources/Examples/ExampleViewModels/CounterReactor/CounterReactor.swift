package import UIFusionKit

/// A counter that announces its changes (the mutating pattern).
package final class CounterReactor: AsyncReactor {
  package var currentState = State()
  private let time: any TimeSource

  package init(time: any TimeSource) {
    self.time = time
  }

  /// The state that clients see.
  package struct State: Codable, Equatable, Sendable {
    /// The count, as a pulse: clients notice each assignment, even of an equal value.
    @Pulse package var count = 0
    @Pulse package var message: String?
    package var isLoading = false
  }

  /// The inputs that clients send.
  package enum Input: Codable, Sendable {
    case increment, decrement, reset, incrementSlowly
  }

  /// The changes of State.
  package enum Mutation: Codable, Sendable {
    case update(Int)
    case setCount(Int), setLoading(Bool), setMessage(String)
  }

  /// Returns the one change that an Input leads to.
  package func reduce(_ input: Input) async -> Mutation {
    switch input {
    case .increment: .update(currentState.count + 1)
    case .decrement: .update(currentState.count - 1)
    case .reset: .update(0)
    case .incrementSlowly: .setCount(currentState.count + 1)
    }
  }

  /// Sends the changes that an Input leads to; clients see each before the next.
  package func reduce(
    _ input: Input,
    send: nonisolated(nonsending) (_ mutation: Mutation) async -> Void
  ) async {
    guard input == .incrementSlowly else {
      await send(await reduce(input))
      return
    }
    await send(.setLoading(true))
    // Sleeping throws only if this Input is cancelled, and then the changes below are dropped.
    try? await time.sleep(for: .milliseconds(500))
    await send(await reduce(input))
    await send(.setLoading(false))
    await send(.setMessage("increased!"))
  }

  /// Ends a slow increment that was cut off, without a message.
  package func restored(_ interrupted: Interrupted) -> [Mutation] {
    currentState.isLoading ? [.setLoading(false)] : []
  }

  package func mutate(_ state: State, mutation: Mutation) async -> State {
    var state = state
    switch mutation {
    case .update(let count):
      state.count = count
      state.message = "카운트가 \(count)로 업데이트되었습니다"
    case .setCount(let count):
      state.count = count
    case .setLoading(let isLoading):
      state.isLoading = isLoading
    case .setMessage(let message):
      state.message = message
    }
    return state
  }
}
