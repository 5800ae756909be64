import UIFusionKit

/// A view model whose text grows at once or by an effect, and whose number may become infinite.
struct Growing: ReducerViewModel {
  enum Input: Codable, Sendable {
    case add(Int), addSoon(Int), addThrough(Int), divide(Double)
  }

  enum Action: Sendable { case add(Int), addSoon(Int), divide(Double) }

  struct State: Codable, Equatable, Sendable {
    var text = ""
    var share = 1.0
  }

  var state = State()
  let time: any TimeSource

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .add(let count): [.add(count)]
    case .addSoon(let count): [.addSoon(count)]
    // If the turn is refused, its effect is rolled back, too.
    case .addThrough(let count): [.addSoon(1), .add(count)]
    case .divide(let number): [.divide(number)]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .add(let count): state.text += String(repeating: "x", count: count)
    case .addSoon(let count): return [.sleepThen(for: .seconds(1), action: .add(count))]
    case .divide(let number): state.share /= number
    }
    return []
  }
}

/// A reactor whose text grows by mutations that an Input sends one by one.
final class GrowingReactor: AsyncReactor {
  enum Input: Codable, Sendable { case add([Int]) }
  enum Mutation: Sendable { case add(Int) }
  struct State: Codable, Equatable, Sendable { var text = "" }

  var currentState = State()

  func reduce(
    _ input: Input,
    send: nonisolated(nonsending) (_ mutation: Mutation) async -> Void
  ) async {
    guard case .add(let counts) = input else { return }
    for count in counts { await send(.add(count)) }
  }

  func mutate(_ state: State, mutation: Mutation) async -> State {
    guard case .add(let count) = mutation else { return state }
    return State(text: state.text + String(repeating: "r", count: count))
  }
}

/// An asynchronous view model whose text grows before and after a wait.
final class GrowingSlowly: AsyncViewModel {
  enum Input: Codable, Sendable { case add(before: Int, after: Int) }
  typealias Action = Input
  struct State: Codable, Equatable, Sendable { var text = "" }

  var state = State()
  private let time: any TimeSource

  init(time: any TimeSource) { self.time = time }

  func transform(_ input: Input) async -> [Input] { [input] }

  func perform(_ action: Input) async throws {
    guard case .add(let before, let after) = action else { return }
    state.text += String(repeating: "b", count: before)
    try await time.sleep(for: .seconds(1))
    state.text += String(repeating: "a", count: after)
    try await time.sleep(for: .seconds(1))
    state.text += "!"
  }

  func handleError(_ error: SendableError) async {}
}
