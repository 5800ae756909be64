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

  /// A step that was cut off is not made again: whoever pressed the button sees what came of it.
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
