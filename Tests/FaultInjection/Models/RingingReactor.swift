import UIFusionKit

/// Does outside what `reduce` does, before it finds the mutation.
final class RingingReactor: AsyncReactor {
  typealias Input = ModelInput
  typealias State = ModelState
  enum Mutation: Sendable { case add(InputNumber), nothing }

  var currentState = ModelState()
  private let time: any TimeSource
  private let effects: any EffectLog

  init(time: any TimeSource, effects: any EffectLog) {
    self.time = time
    self.effects = effects
  }

  func reduce(_ input: ModelInput) async -> Mutation {
    effects.begin(input.number)
    switch input {
    case .add: return .add(input.number)
    case .addSlowly:
      try? await time.sleep(for: .milliseconds(2))
      return .add(input.number)
    case .ring: return .nothing
    }
  }

  func mutate(_ state: ModelState, mutation: Mutation) async -> ModelState {
    switch mutation {
    case .add(let number): ModelState(items: state.items + [number])
    case .nothing: state
    }
  }
}
