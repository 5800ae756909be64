import UIFusionKit

/// Does outside what its effects do.
struct Ringing: ReducerViewModel {
  typealias Input = ModelInput
  typealias State = ModelState
  enum Action: Equatable, Sendable { case add(InputNumber), ring(InputNumber) }

  var state = ModelState()
  let effects: any EffectLog

  func transform(_ input: ModelInput) -> [Action] {
    switch input {
    case .add, .addSlowly: [.add(input.number), .ring(input.number)]
    case .ring: [.ring(input.number)]
    }
  }

  func reduce(state: inout ModelState, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .add(let number):
      state.items.append(number)
      return []
    case .ring(let number):
      return [.run { [effects] _ in effects.begin(number) }]
    }
  }
}
