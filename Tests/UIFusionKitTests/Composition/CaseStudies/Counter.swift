import UIFusionKit

/// The counter of the case studies: it counts, and may ask to be closed.
struct Counter: ReducerViewModel {
  enum Action: Equatable, Sendable { case increment, decrement, incrementSoon, close }
  struct State: Codable, Equatable, Sendable { var count = 0 }

  var state = State()

  func transform(_ input: Action) -> [Action] { [input] }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .increment: state.count += 1
    case .decrement: state.count -= 1
    case .incrementSoon: return [.sleepThen(for: .seconds(1), action: .increment)]
    case .close: return [.dismiss]
    }
    return []
  }
}
