package import UIFusionKit

/// One timer, which ticks at its own interval.
package struct TimerViewModel: ReducerViewModel {
  package var state = State()
  let interval: Duration

  /// The state of one timer.
  package struct State: Codable, Equatable, Sendable {
    package var ticks = 0
    package var isRunning = false
  }

  /// The inputs that the four timers pass on.
  package enum Input: Sendable { case start, stop }

  /// The actions that inputs lead to.
  package enum Action: Sendable { case start, tick, stop }

  private enum EffectName { case ticking }

  package func transform(_ input: Input) -> [Action] {
    switch input {
    case .start: [.start]
    case .stop: [.stop]
    }
  }

  /// Goes on if it ran, with a whole interval before the next tick.
  package func restored(_ interrupted: Interrupted) -> [Action] { state.isRunning ? [.start] : [] }

  package func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .start:
      state.isRunning = true
      // Keeps a running timer: replacing it would delay the next tick.
      return [.timer(id: EffectName.ticking, every: interval, policy: .keep, action: .tick)]
    case .tick:
      state.ticks += 1
      return []
    case .stop:
      state.isRunning = false
      return [.cancel(id: EffectName.ticking)]
    }
  }
}
