import UIFusionKit

/// A model of the synchronous pattern, without effects.
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

/// A model of the reducer pattern, with external effects.
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

/// A model of the pattern with an async `perform`, whose external effect begins before State changes.
final class RingingFirst: AsyncViewModel {
  typealias Input = ModelInput
  typealias State = ModelState
  enum Action: Sendable { case add(InputNumber, slowly: Bool), ring(InputNumber) }

  var state = ModelState()
  private let time: any TimeSource
  private let effects: any EffectLog

  init(time: any TimeSource, effects: any EffectLog) {
    self.time = time
    self.effects = effects
  }

  func transform(_ input: ModelInput) async -> [Action] {
    switch input {
    case .add: [.add(input.number, slowly: false)]
    case .addSlowly: [.add(input.number, slowly: true)]
    case .ring: [.ring(input.number)]
    }
  }

  func perform(_ action: Action) async throws {
    switch action {
    case .ring(let number): effects.begin(number)
    case .add(let number, let isSlow):
      effects.begin(number)
      if isSlow { try await time.sleep(for: .milliseconds(2)) }
      state.items.append(number)
    }
  }

  func handleError(_ error: SendableError) async {}
}

/// A model of the reactor pattern, whose `reduce` begins its external effect before it returns the mutation.
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
