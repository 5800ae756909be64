extension CounterViewModel {
  /// What a client sees.
  package struct State: Codable, Equatable, Sendable {
    package var value: Int
    /// The button that is at work.
    package var loadingState: LoadingState
    package var activeAlert: CounterAlert?

    package init(
      value: Int = 0,
      loadingState: LoadingState = .none,
      activeAlert: CounterAlert? = nil
    ) {
      self.value = value
      self.loadingState = loadingState
      self.activeAlert = activeAlert
    }
  }

  /// What the counter is busy with.
  package enum LoadingState: String, Codable, Sendable {
    case none, increasing, decreasing
  }

  /// What a client may ask for.
  package enum Input: Codable, Sendable {
    case increase, decrease, reset, show, dismissAlert
  }

  /// What is done about it.
  package enum Action: Codable, Sendable {
    case increaseValue, decreaseValue, resetValue, showAlert, dismissAlert
    /// What was loading when the process ended does not any more.
    case stopLoading
  }
}

/// A message that stays until it is dismissed.
package struct CounterAlert: Codable, Equatable, Sendable {
  /// How the message is to be shown.
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
