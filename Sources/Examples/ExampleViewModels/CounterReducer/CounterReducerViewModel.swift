package import UIFusionKit

/// A counter that can fetch a number, which takes a second (the reducing pattern).
package struct CounterReducerViewModel: ReducerViewModel {
  package var state = State()
  private let time: any TimeSource
  private let random: RandomSource

  package init(time: any TimeSource, random: RandomSource) {
    self.time = time
    self.random = random
  }

  /// The state that clients see.
  package struct State: Codable, Equatable, Sendable {
    package var count = 0
    package var isLoading = false
  }

  /// The inputs that clients send.
  package enum Input: Codable, Sendable {
    case increment, decrement, fetch, cancelFetch
  }

  /// The actions that inputs lead to; the effect of `fetch` sends `fetched`.
  package enum Action: Codable, Equatable, Sendable {
    case increment, decrement, fetch, fetched(Int), cancelFetch
  }

  private enum EffectName { case fetch }

  package func transform(_ input: Input) -> [Action] {
    switch input {
    case .increment: [.increment]
    case .decrement: [.decrement]
    case .fetch: [.fetch]
    case .cancelFetch: [.cancelFetch]
    }
  }

  /// Repeats a fetch that was cut off.
  package func restored(_ interrupted: Interrupted) -> [Action] {
    guard state.isLoading else { return [] }
    return [interrupted.contains(EffectName.fetch) ? .fetch : .cancelFetch]
  }

  package func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .increment:
      state.count += 1
    case .decrement:
      state.count -= 1
    case .fetch:
      state.isLoading = true
      // A second fetch replaces the running one, since both have the same id.
      return [
        .runAction(id: EffectName.fetch) { [time, random] in
          try await time.sleep(for: .seconds(1))
          return .fetched(random.number(in: 1...100))
        }
      ]
    case .fetched(let number):
      state.count = number
      state.isLoading = false
    case .cancelFetch:
      state.isLoading = false
      return [.cancel(id: EffectName.fetch)]
    }
    return []
  }
}
