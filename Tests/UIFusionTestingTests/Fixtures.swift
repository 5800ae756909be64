import UIFusionKit

/// Fetches a number after a second; errors and timers on demand.
struct Fetcher: ReducerViewModel {
  enum Input: Sendable { case fetch, cancel, fail, tick, add(Int), chain }
  enum Action: Equatable, Sendable {
    case fetch, fetched(Int), cancel, fail, tick, ticked, add(Int), chain
  }
  enum EffectName { case fetch, timer }
  struct State: Equatable, Sendable {
    var number = 0
    var isLoading = false
    var error: String?
  }

  struct Broken: Error {}

  var state = State()

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .fetch: [.fetch]
    case .cancel: [.cancel]
    case .fail: [.fail]
    case .tick: [.tick]
    case .add(let number): [.add(number)]
    case .chain: [.chain]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .fetch:
      state.isLoading = true
      return [.sleepThen(id: EffectName.fetch, for: .seconds(1), action: .fetched(7))]
    case .fetched(let number):
      state.number = number
      state.isLoading = false
    case .cancel:
      state.isLoading = false
      return [.cancel(id: EffectName.fetch), .cancel(id: EffectName.timer)]
    case .fail:
      return [.run { _ in throw Broken() }]
    case .tick:
      return [.timer(id: EffectName.timer, every: .seconds(1), action: .ticked)]
    case .ticked:
      state.number += 1
    case .add(let number):
      state.number += number
    case .chain:
      return [.action(.add(1)), .action(.add(2))]
    }
    return []
  }

  func handleError(_ error: SendableError) -> [Action] { [.add(100)] }
}

/// Suspends in `perform`.
final class Waiter: AsyncViewModel {
  enum Input { case step, fail }
  struct State: Equatable { var steps = 0, isBusy = false }
  struct Broken: Error {}
  typealias Action = Input

  var state = State()
  private let time: any TimeSource

  init(time: any TimeSource) { self.time = time }

  func transform(_ input: Input) async -> [Input] { [input] }

  func perform(_ action: Input) async throws {
    state.isBusy = true
    defer { state.isBusy = false }
    try await time.sleep(for: .seconds(1))
    if action == .fail { throw Broken() }
    state.steps += 1
  }

  func handleError(_ error: SendableError) async { state.steps = -1 }
}

/// Counts by mutations.
final class Reactor: AsyncReactor {
  enum Input { case add(Int), twice }
  enum Mutation { case add(Int) }
  struct State: Equatable { var count = 0 }

  var currentState = State()

  func reduce(_ input: Input) async -> Mutation {
    switch input {
    case .add(let number): .add(number)
    case .twice: .add(0)
    }
  }

  func reduce(
    _ input: Input,
    send: nonisolated(nonsending) (_ mutation: Mutation) async -> Void
  ) async {
    switch input {
    case .twice:
      await send(.add(1))
      await send(.add(1))
    case .add: await send(await reduce(input))
    }
  }

  func mutate(_ state: State, mutation: Mutation) async -> State {
    switch mutation {
    case .add(let number): State(count: state.count + number)
    }
  }
}
