package import UIFusionKit

/// Data that is reloaded every five seconds (the reducing pattern: a timer whose ticks have effects).
package struct AutoRefreshViewModel: ReducerViewModel {
  package var state = State()
  private let time: any TimeSource

  package init(time: any TimeSource) {
    self.time = time
  }

  /// The state that clients see.
  package struct State: Codable, Equatable, Sendable {
    /// The number of refreshes started.
    package var count = 0
    package var data: [String] = []
    package var isRunning = false
    package var isLoading = false
  }

  /// The inputs that clients send.
  package enum Input: Codable, Sendable {
    case start, stop, refresh
  }

  /// The actions that inputs lead to.
  package enum Action: Codable, Equatable, Sendable {
    case start, refresh, loaded([String]), stop
    /// Loads the data of the newest refresh.
    case load
  }

  private enum EffectName { case timer, load }

  package func transform(_ input: Input) -> [Action] {
    switch input {
    case .start: [.start]
    case .stop: [.stop]
    case .refresh: [.refresh]
    }
  }

  /// Restarts the five seconds, and repeats a load that was cut off as part of the same refresh.
  package func restored(_ interrupted: Interrupted) -> [Action] {
    (state.isRunning ? [.start] : []) + (state.isLoading ? [.load] : [])
  }

  package func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .start:
      // Keeps a running timer, and restarts an interrupted one.
      let timer: AsyncEffect<Action> =
        .timer(id: EffectName.timer, every: .seconds(5), policy: .keep, action: .refresh)
      guard !state.isRunning else { return [timer] }
      state.isRunning = true
      // The timer first ticks after an interval; the first refresh does not wait.
      return [timer] + reduce(state: &state, action: .refresh)
    case .refresh:
      state.count += 1
      return reduce(state: &state, action: .load)
    case .load:
      state.isLoading = true
      return [
        .runAction(id: EffectName.load) { [time, count = state.count] in
          try await time.sleep(for: .milliseconds(500))
          return .loaded((1...3).map { "데이터 \(count)-\($0)" })
        }
      ]
    case .loaded(let data):
      state.data = data
      state.isLoading = false
      return []
    case .stop:
      state.isRunning = false
      state.isLoading = false
      return [.cancel(id: EffectName.timer), .cancel(id: EffectName.load)]
    }
  }
}
