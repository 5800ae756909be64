package import UIFusionKit

/// A countdown by the second (the reducing pattern, with a timer that ends itself).
package struct CountdownViewModel: ReducerViewModel {
  package var state: State
  private let seconds: Int

  package init(_ parameters: Parameters = Parameters()) {
    seconds = parameters.seconds ?? 10
    state = State(remaining: seconds)
  }

  /// What a client sees.
  package struct State: Codable, Equatable, Sendable {
    /// In seconds.
    package var remaining: Int
    package var isRunning: Bool

    // What `setDuration` has set; nil is what the session was created with. Neither sent nor stored:
    // `reset` after a restart goes back to that.
    var duration: Int?

    private enum CodingKeys: CodingKey {
      case remaining, isRunning
    }

    package init(remaining: Int, isRunning: Bool = false) {
      self.remaining = remaining
      self.isRunning = isRunning
    }
  }

  /// What a client may ask for.
  package enum Input: Codable, Equatable, Sendable {
    case start, pause, reset, setDuration(Int)
  }

  /// What is done about it.
  package enum Action: Codable, Equatable, Sendable {
    case start, tick, pause, reset, setDuration(Int)
  }

  private enum EffectName { case tick }

  package func transform(_ input: Input) -> [Action] {
    switch input {
    case .start: [.start]
    case .pause: [.pause]
    case .reset: [.reset]
    // Less than nothing cannot be counted down: the Input is ignored.
    case .setDuration(let seconds): seconds < 0 ? [] : [.setDuration(seconds), .reset]
    }
  }

  /// Goes on from the second that is shown: the time while nothing ran is not counted.
  package func restored(_ interrupted: Interrupted) -> [Action] {
    state.isRunning ? [.start] : []
  }

  package func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .start:
      guard state.remaining > 0 else { return [] }
      state.isRunning = true
      // A timer that runs is kept: a second start changes nothing. Asking `isRunning` instead would
      // refuse to start where the timer was interrupted, and State still says that it runs.
      return [.timer(id: EffectName.tick, every: .seconds(1), policy: .keep, action: .tick)]
    case .tick:
      state.remaining -= 1
      return state.remaining == 0 ? stop(&state) : []
    case .pause:
      return stop(&state)
    case .reset:
      state.remaining = state.duration ?? seconds
      return stop(&state)
    case .setDuration(let seconds):
      state.duration = seconds
      return []
    }
  }

  private func stop(_ state: inout State) -> [AsyncEffect<Action>] {
    state.isRunning = false
    return [.cancel(id: EffectName.tick)]
  }
}
