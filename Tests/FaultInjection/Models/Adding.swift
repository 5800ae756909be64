import UIFusionKit

/// Has no effects.
struct Adding: ViewModelProtocol {
  typealias Input = ModelInput
  typealias State = ModelState
  enum Action: Sendable { case add(InputNumber) }

  var state = ModelState()

  func transform(_ input: ModelInput) -> [Action] {
    switch input {
    case .add, .addSlowly: [.add(input.number)]
    case .ring: []
    }
  }

  mutating func perform(_ action: Action) {
    switch action {
    case .add(let number): state.items.append(number)
    }
  }
}
