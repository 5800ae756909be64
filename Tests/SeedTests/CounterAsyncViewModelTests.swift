import Foundation
import Testing
import UIFusionKit
import UIFusionTesting

enum CounterError: Error, LocalizedError {
  case valueOutOfRange(current: Int, min: Int, max: Int)

  var errorDescription: String? {
    switch self {
    case .valueOutOfRange(let current, let min, let max):
      "\(current) is not within \(min) and \(max)."
    }
  }
}

/// UIFusionKit's asynchronous counter.
final class CounterAsyncViewModel: AsyncViewModel {
  enum AlertType: Identifiable, Codable, Equatable {
    case none
    case info
    case error(SendableError)

    var id: String {
      switch self {
      case .none: return "none"
      case .info: return "info"
      case .error: return "error"
      }
    }
  }

  enum LoadingState: Codable {
    case none
    case increasing
    case decreasing
  }

  enum Input: Codable {
    case increase
    case decrease
    case reset
    case show
    case dismissAlert
  }

  enum Action {
    case increaseValue
    case decreaseValue
    case resetValue
    case showAlert
    case dismissAlert
  }

  struct State: Codable, Equatable {
    var value: Int = 0
    @Pulse var activeAlert: AlertType?
    var loadingState: LoadingState = .none
  }

  var state = State()

  private let minValue = -10
  private let maxValue = 10
  private let time: any TimeSource

  init(value: Int = 0, time: any TimeSource) {
    self.time = time
    state.value = value
  }

  func transform(_ input: Input) async -> [Action] {
    switch input {
    case .increase: return [.increaseValue]
    case .decrease: return [.decreaseValue]
    case .reset: return [.resetValue]
    case .show: return [.showAlert]
    case .dismissAlert: return [.dismissAlert]
    }
  }

  func perform(_ action: Action) async throws {
    switch action {
    case .increaseValue:
      try await increaseValue()
    case .decreaseValue:
      try await decreaseValue()
    case .resetValue:
      try await resetValue()
    case .showAlert:
      try await showAlert()
    case .dismissAlert:
      dismissAlert()
    }
  }

  private func dismissAlert() {
    state.activeAlert = nil
  }

  nonisolated(nonsending) private func increaseValue() async throws {
    state.loadingState = .increasing

    try await time.sleep(for: .nanoseconds(500_000_000))

    let newValue = state.value + 1
    if newValue > maxValue {
      state.loadingState = .none
      throw CounterError.valueOutOfRange(current: newValue, min: minValue, max: maxValue)
    }
    state.value = newValue

    state.loadingState = .none
  }

  nonisolated(nonsending) private func decreaseValue() async throws {
    state.loadingState = .decreasing

    try await time.sleep(for: .nanoseconds(500_000_000))

    let newValue = state.value - 1
    if newValue < minValue {
      state.loadingState = .none
      throw CounterError.valueOutOfRange(current: newValue, min: minValue, max: maxValue)
    }
    state.value = newValue

    state.loadingState = .none
  }

  nonisolated(nonsending) private func resetValue() async throws {
    state.value = 0
  }

  nonisolated(nonsending) private func showAlert() async throws {
    state.activeAlert = .info
  }

  func handleError(_ error: SendableError) async {
    state.loadingState = .none
    state.activeAlert = .error(error)
    print("Counter: \(error.localizedDescription)")
  }
}

struct `UIFusionKit's asynchronous counter` {
  private func store(value: Int = 0) -> AsyncTestStore<CounterAsyncViewModel> {
    AsyncTestStore { CounterAsyncViewModel(value: value, time: $0.time) }
  }

  @Test func `increases after half a second, and is busy until then`() async {
    let store = store()
    await store.send(.increase) { $0.loadingState = .increasing }
    await store.advance(by: .milliseconds(500))
    await store.change {
      $0.value = 1
      $0.loadingState = .none
    }
    await store.finish()
  }

  @Test func `decreases after half a second, and is busy until then`() async {
    let store = store()
    await store.send(.decrease) { $0.loadingState = .decreasing }
    await store.advance(by: .milliseconds(500))
    await store.change {
      $0.value = -1
      $0.loadingState = .none
    }
    await store.finish()
  }

  @Test(arguments: [(10, CounterAsyncViewModel.Input.increase), (-10, .decrease)])
  func `alerts with an error beyond its range`(
    limit: Int,
    input: CounterAsyncViewModel.Input
  ) async throws {
    let store = store(value: limit)
    store.isExhaustive = false
    await store.send(input)
    await store.advance(by: .milliseconds(500))
    let error = try #require(await store.receiveError())
    #expect(store.state.value == limit && store.state.loadingState == .none)
    #expect(store.state.activeAlert == .error(error))
    #expect(error.localizedDescription == "\(limit + limit.signum()) is not within -10 and 10.")
    await store.finish()
  }

  @Test func `resets its value to zero`() async {
    let store = store(value: 7)
    await store.send(.reset) { $0.value = 0 }
    await store.finish()
  }

  @Test func `shows an alert, which can be dismissed`() async {
    let store = store()
    await store.send(.show) { $0.activeAlert = .info }
    await store.send(.dismissAlert) { $0.activeAlert = nil }
    await store.finish()
  }

  @Test func `distinguishes no alert from the alert named none`() {
    var state = CounterAsyncViewModel.State()
    #expect(state.activeAlert == nil)
    state.activeAlert = CounterAsyncViewModel.AlertType.none
    #expect(state.activeAlert?.id == "none")
  }

  @Test func `restores an alert with its error from a store`() async throws {
    var state = CounterAsyncViewModel.State()
    let error = CounterError.valueOutOfRange(current: 11, min: -10, max: 10)
    for alert in [CounterAsyncViewModel.AlertType.none, .info, .error(SendableError(error))] {
      state.activeAlert = alert
      let store = try AsyncTestStore(restoring: state) { CounterAsyncViewModel(time: $0.time) }
      #expect(store.state.activeAlert == alert)
      await store.send(.dismissAlert) { $0.activeAlert = nil }
      await store.finish()
    }
  }

  @Test func `processes the second of two increases after the first`() async {
    let clock = TestClock()
    let store = Store(clock.dependencies) { CounterAsyncViewModel(time: $0.time) }
    store.send(.increase, .increase)
    await clock.advance(by: .milliseconds(500))
    #expect(store.state.value == 1)
    await clock.advance(by: .milliseconds(500))
    #expect(store.state.value == 2)
  }
}
