package import UIFusionKit

/// A counter that tells of its changes (the mutating pattern).
package final class CounterReactor: AsyncReactor {
  package var currentState = State()
  private let time: any TimeSource

  package init(time: any TimeSource) {
    self.time = time
  }

  /// What a client sees.
  package struct State: Codable, Equatable, Sendable {
    /// Each assignment is noticed, even of the number that was there: a reset at 0.
    @Pulse package var count = 0
    @Pulse package var message: String?
    package var isLoading = false

    package init() {}
  }

  /// What a client may ask for.
  package enum Input: Codable, Sendable {
    case increment, decrement, reset, incrementSlowly
  }

  /// One change of State.
  package enum Mutation: Codable, Sendable {
    case update(Int)
    case setCount(Int), setLoading(Bool), setMessage(String)
  }

  /// An Input that leads to one change.
  package func reduce(_ input: Input) async -> Mutation {
    switch input {
    case .increment: .update(currentState.count + 1)
    case .decrement: .update(currentState.count - 1)
    case .reset: .update(0)
    case .incrementSlowly: .setCount(currentState.count + 1)
    }
  }

  /// An Input that leads to several changes, each of which is seen before the next.
  package func reduce(
    _ input: Input,
    send: nonisolated(nonsending) (_ mutation: Mutation) async -> Void
  ) async {
    guard input == .incrementSlowly else {
      await send(await reduce(input))
      return
    }
    await send(.setLoading(true))
    // It only throws when this Input was cancelled, and then nothing arrives that is sent below.
    try? await time.sleep(for: .milliseconds(500))
    await send(await reduce(input))
    await send(.setLoading(false))
    await send(.setMessage("increased!"))
  }

  /// A slow increment that was cut off is not made again, and nothing is told of it.
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
