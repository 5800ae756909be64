package import UIFusionKit

/// The fourth of the 7GUIs, Timer: ticks until a duration that may change meanwhile (the reducing pattern).
package struct GaugeViewModel: ReducerViewModel {
  package var state = State()

  package init() {}

  /// The state that clients see, in tenths of a second, which add up exactly.
  package struct State: Codable, Equatable, Sendable, MemberDeriving {
    package var elapsed = 0
    package var duration = 150

    /// The members that follow from the others.
    package struct Derived: Codable, Equatable, Sendable {
      package var elapsedSeconds: Double
      package var durationSeconds: Double
    }

    package var derived: Derived {
      Derived(elapsedSeconds: Double(elapsed) / 10, durationSeconds: Double(duration) / 10)
    }
  }

  /// The inputs that clients send.
  package enum Input: Codable, Sendable { case setDuration(Int), reset }

  /// The actions that inputs and ticks lead to.
  package enum Action: Codable, Equatable, Sendable { case setDuration(Int), reset, run, tick }

  private enum EffectName { case ticking }

  package func started() -> [Action] { [.run] }

  package func restored(_ interrupted: Interrupted) -> [Action] { [.run] }

  package func transform(_ input: Input) -> [Action] {
    switch input {
    case .setDuration(let tenths): [.setDuration(min(max(tenths, 0), 300)), .run]
    case .reset: [.reset, .run]
    }
  }

  package func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .setDuration(let tenths): state.duration = tenths
    case .reset: state.elapsed = 0
    case .tick:
      state.elapsed += 1
      return state.elapsed < state.duration ? [] : [.cancel(id: EffectName.ticking)]
    case .run:
      guard state.elapsed < state.duration else { return [.cancel(id: EffectName.ticking)] }
      // Keeps a running timer: a slider on the move would else hold up the next tick.
      return [
        .timer(id: EffectName.ticking, every: .milliseconds(100), policy: .keep, action: .tick)
      ]
    }
    return []
  }
}
