package import UIFusionKit

/// Four timers side by side (the reducing pattern: effects that are known by a value).
package struct MultiTimerViewModel: ReducerViewModel {
  package var state = State()

  package init() {}

  /// What a client sees.
  package struct State: Codable, Equatable, Sendable {
    package var timers: [TimerName: TimerState]

    package init() {
      timers = Dictionary(uniqueKeysWithValues: TimerName.allCases.map { ($0, TimerState()) })
    }
  }

  /// One timer.
  package struct TimerState: Codable, Equatable, Sendable {
    package var ticks = 0
    package var isRunning = false
  }

  /// The timers, each with its own interval; by being coding keys they are members in JSON.
  package enum TimerName: String, Codable, CodingKeyRepresentable, CaseIterable, Sendable {
    case A, B, C, D

    var interval: Duration {
      switch self {
      case .A: .seconds(1)
      case .B: .milliseconds(500)
      case .C: .seconds(2)
      case .D: .milliseconds(300)
      }
    }
  }

  /// What a client may ask for.
  package enum Input: Codable, Equatable, Sendable {
    case startAll, stopAll, start(TimerName), stop(TimerName)
  }

  /// What is done about it, to one timer at a time.
  package enum Action: Codable, Equatable, Sendable {
    case start(TimerName), tick(TimerName), stop(TimerName)
  }

  package func transform(_ input: Input) -> [Action] {
    switch input {
    case .startAll: TimerName.allCases.map { .start($0) }
    case .stopAll: TimerName.allCases.map { .stop($0) }
    case .start(let name): [.start(name)]
    case .stop(let name): [.stop(name)]
    }
  }

  /// Those that ran run again, each with a whole interval before its next tick.
  package func restored(_ interrupted: Interrupted) -> [Action] {
    TimerName.allCases.filter { state.timers[$0]?.isRunning == true }.map { .start($0) }
  }

  package func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .start(let name):
      state.timers[name]?.isRunning = true
      // Keep one that runs: another in its place would put off the next tick.
      return [.timer(id: name, every: name.interval, policy: .keep, action: .tick(name))]
    case .tick(let name):
      state.timers[name]?.ticks += 1
      return []
    case .stop(let name):
      state.timers[name]?.isRunning = false
      return [.cancel(id: name)]
    }
  }
}
