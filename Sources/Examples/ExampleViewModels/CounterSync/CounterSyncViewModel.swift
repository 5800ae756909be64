package import UIFusionKit

/// A counter whose steps take no time (the synchronous pattern).
package struct CounterSyncViewModel: ViewModelProtocol {
  package var state = State()

  package init() {}

  /// The state that clients see.
  package struct State: Codable, Equatable, Sendable {
    package var value = 0
    package var isReset = false
    /// An event without a value: clients show the alert when its count has grown.
    @Pulse package var showAlert: Never? = nil
  }

  /// The inputs that clients send.
  package enum Input: Codable, Sendable {
    case increase, decrease, reset, show
  }

  /// The actions that inputs lead to.
  package enum Action: Codable, Sendable {
    case increaseValue, decreaseValue, resetValue, showAlert
  }

  package func transform(_ input: Input) -> [Action] {
    switch input {
    case .increase: [.increaseValue]
    case .decrease: [.decreaseValue]
    case .reset: [.resetValue]
    case .show: [.showAlert]
    }
  }

  package mutating func perform(_ action: Action) {
    switch action {
    case .increaseValue:
      state.value += 1
      state.isReset = false
    case .decreaseValue:
      state.value -= 1
      state.isReset = false
    case .resetValue:
      state.value = 0
      state.isReset = true
    case .showAlert:
      state.$showAlert.fire()
    }
  }
}
