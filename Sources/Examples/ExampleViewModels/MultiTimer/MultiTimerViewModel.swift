package import UIFusionKit

/// Four independent timers (the reducing pattern: effects with values as ids).
package struct MultiTimerViewModel: ReducerViewModel {
  package var state = State()

  package init() {}

  /// The state that clients see.
  package struct State: Codable, Equatable, Sendable {
    package var timers: [TimerName: TimerState]

    package init() {
      timers = Dictionary(uniqueKeysWithValues: TimerName.allCases.map { ($0, TimerState()) })
    }
  }

  /// The state of one timer.
  package struct TimerState: Codable, Equatable, Sendable {
    package var ticks = 0
    package var isRunning = false
  }

  /// The timers, each with its interval; `CodingKeyRepresentable` makes them members in JSON.
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

  /// The inputs that clients send.
  package enum Input: Codable, Equatable, Sendable {
    case startAll, stopAll, start(TimerName), stop(TimerName)
  }

  /// The actions that inputs lead to, each for one timer.
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

  /// Restarts the timers that ran, each with a whole interval before its next tick.
  package func restored(_ interrupted: Interrupted) -> [Action] {
    TimerName.allCases.filter { state.timers[$0]?.isRunning == true }.map { .start($0) }
  }

  package func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .start(let name):
      state.timers[name]?.isRunning = true
      // Keeps a running timer: replacing it would delay the next tick.
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
