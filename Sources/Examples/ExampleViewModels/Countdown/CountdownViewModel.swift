package import UIFusionKit

/// A countdown in seconds (the reducing pattern, with a timer that stops itself).
package struct CountdownViewModel: ReducerViewModel {
  package var state: State
  private let seconds: Int

  package init(_ parameters: Parameters = Parameters()) {
    seconds = parameters.seconds ?? 10
    state = State(remaining: seconds)
  }

  /// The state that clients see.
  package struct State: Codable, Equatable, Sendable {
    /// The remaining seconds.
    package var remaining: Int
    package var isRunning = false

    // Set by `setDuration`; nil stands for the session's parameter. Neither sent nor stored: after a
    // restart, `reset` goes back to the parameter.
    var duration: Int?

    private enum CodingKeys: CodingKey {
      case remaining, isRunning
    }
  }

  /// The inputs that clients send.
  package enum Input: Codable, Equatable, Sendable {
    case start, pause, reset, setDuration(Int)
  }

  /// The actions that inputs lead to.
  package enum Action: Codable, Equatable, Sendable {
    case start, tick, pause, reset, setDuration(Int)
  }

  private enum EffectName { case tick }

  package func transform(_ input: Input) -> [Action] {
    switch input {
    case .start: [.start]
    case .pause: [.pause]
    case .reset: [.reset]
    // A negative duration is ignored.
    case .setDuration(let seconds): seconds < 0 ? [] : [.setDuration(seconds), .reset]
    }
  }

  /// Continues from the second shown; time without a process does not count.
  package func restored(_ interrupted: Interrupted) -> [Action] {
    state.isRunning ? [.start] : []
  }

  package func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .start:
      guard state.remaining > 0 else { return [] }
      state.isRunning = true
      // Keeps a running timer. Checking `isRunning` instead would not restart a timer that was
      // interrupted: State still says that it runs.
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

extension CountdownViewModel {
  /// The parameters of a new session: `{"seconds":10}`.
  package struct Parameters: Decodable, Sendable {
    /// The number of seconds to start from; 10 if nil.
    package let seconds: Int?

    private enum CodingKeys: CodingKey {
      case seconds
    }

    package init() {
      seconds = nil
    }

    /// Reads the parameters; throws a `DecodingError` for a negative number, so that the answer names the member.
    package init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      seconds = try container.decodeIfPresent(Int.self, forKey: .seconds)
      guard (seconds ?? 0) >= 0 else {
        throw DecodingError.dataCorruptedError(
          forKey: .seconds,
          in: container,
          debugDescription: "a countdown starts at 0 seconds or more"
        )
      }
    }
  }
}
