import UIFusionKit

/// Does outside what `perform` does, before State changes.
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
