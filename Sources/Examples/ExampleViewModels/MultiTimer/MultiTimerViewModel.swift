package import UIFusionKit

/// Four independent timers (the reducing pattern: one view model made of four).
package struct MultiTimerViewModel: ReducerViewModel {
  package var state = State()
  private let timers: [TimerName: Child<MultiTimerViewModel, TimerViewModel>]

  package init() {
    let timers = TimerName.allCases.map { name in
      let timer = Child<MultiTimerViewModel, TimerViewModel>(
        \.timers[name],
        { Action(of: name, $0) },
        id: name
      ) { TimerViewModel(interval: name.interval) }
      return (name, timer)
    }
    self.timers = Dictionary(uniqueKeysWithValues: timers)
  }

  /// The state that clients see.
  package struct State: Codable, Equatable, Sendable {
    package var timers: [TimerName: TimerViewModel.State]

    package init() {
      timers = Dictionary(
        uniqueKeysWithValues: TimerName.allCases.map { ($0, TimerViewModel.State()) }
      )
    }
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

    /// Creates the action that carries one of a timer's.
    init(of name: TimerName, _ action: TimerViewModel.Action) {
      switch action {
      case .start: self = .start(name)
      case .tick: self = .tick(name)
      case .stop: self = .stop(name)
      }
    }
  }

  package func transform(_ input: Input) -> [Action] {
    switch input {
    case .startAll: TimerName.allCases.map { .start($0) }
    case .stopAll: TimerName.allCases.map { .stop($0) }
    case .start(let name): [.start(name)]
    case .stop(let name): [.stop(name)]
    }
  }

  package func restored(_ interrupted: Interrupted) -> [Action] {
    TimerName.allCases.flatMap { timers[$0]?.restored(interrupted, in: state) ?? [] }
  }

  package func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .start(let name): timers[name]?.reduce(&state, .start) ?? []
    case .tick(let name): timers[name]?.reduce(&state, .tick) ?? []
    case .stop(let name): timers[name]?.reduce(&state, .stop) ?? []
    }
  }
}
