package import UIFusionKit

/// A counter from −10 to 10 whose steps take half a second (the asynchronous pattern).
package final class CounterViewModel: AsyncViewModel {
  package var state = State()
  private let time: any TimeSource
  private let range = -10...10

  package init(time: any TimeSource) {
    self.time = time
  }

  package func transform(_ input: Input) async -> [Action] {
    switch input {
    case .increase: [.increaseValue]
    case .decrease: [.decreaseValue]
    case .reset: [.resetValue]
    case .show: [.showAlert]
    case .dismissAlert: [.dismissAlert]
    }
  }

  /// Does not repeat a step that was cut off: the user sees that the value is unchanged.
  package func restored(_ interrupted: Interrupted) -> [Action] {
    state.loadingState == .none ? [] : [.stopLoading]
  }

  package func perform(_ action: Action) async throws {
    switch action {
    case .increaseValue: try await step(by: 1, showing: .increasing)
    case .decreaseValue: try await step(by: -1, showing: .decreasing)
    case .resetValue: state.value = 0
    case .showAlert: state.activeAlert = .info("\(state.value)")
    case .dismissAlert: state.activeAlert = nil
    case .stopLoading: state.loadingState = .none
    }
  }

  package func handleError(_ error: SendableError) async {
    state.activeAlert = .error(error.description)
  }

  nonisolated(nonsending) private func step(by difference: Int, showing loading: LoadingState)
    async throws
  {
    state.loadingState = loading
    defer { state.loadingState = .none }
    try await time.sleep(for: .milliseconds(500))
    let value = state.value + difference
    guard range.contains(value) else { throw CounterError.outOfRange(value, range) }
    state.value = value
  }
}

extension CounterViewModel {
  /// The state that clients see.
  package struct State: Codable, Equatable, Sendable {
    package var value = 0
    /// The step that is under way.
    package var loadingState = LoadingState.none
    package var activeAlert: CounterAlert?
  }

  /// The kinds of step that take time.
  package enum LoadingState: String, Codable, Sendable {
    case none, increasing, decreasing
  }

  /// The inputs that clients send.
  package enum Input: Codable, Sendable {
    case increase, decrease, reset, show, dismissAlert
  }

  /// The actions that inputs lead to.
  package enum Action: Codable, Sendable {
    case increaseValue, decreaseValue, resetValue, showAlert, dismissAlert
    /// Ends a step that the process's end has cut off.
    case stopLoading
  }
}

/// A message that stays until it is dismissed.
package struct CounterAlert: Codable, Equatable, Sendable {
  /// The style in which to show the message.
  package enum Kind: String, Codable, Sendable {
    case info, error
  }

  package var kind: Kind
  package var message: String

  package static func info(_ message: String) -> CounterAlert {
    CounterAlert(kind: .info, message: message)
  }
  package static func error(_ message: String) -> CounterAlert {
    CounterAlert(kind: .error, message: message)
  }
}

enum CounterError: Error, CustomStringConvertible {
  case outOfRange(Int, ClosedRange<Int>)

  var description: String {
    switch self {
    case .outOfRange(let value, let range):
      "값이 허용 범위를 벗어났습니다 (현재: \(value), 범위: \(range.lowerBound)~\(range.upperBound))"
    }
  }
}
