import Testing
import UIFusionKit
import UIFusionTesting

enum CounterInput: Codable {
  case increase
  case decrease
  case reset
  case show
}

enum CounterAction {
  case increaseValue
  case decreaseValue
  case resetValue
  case showAlert
}

struct CounterState: Codable, Equatable {
  var value: Int = 0
  var isReset: Bool = false
  @Pulse var showAlert: Never? = nil
}

protocol CounterViewModel: ViewModelProtocol
where
  Input == CounterInput,
  Action == CounterAction,
  State == CounterState
{}

/// UIFusionKit's synchronous counter, which stays a class.
final class DefaultCounterViewModel: CounterViewModel {
  var state: State = .init()

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .increase:
      return [.increaseValue]
    case .decrease:
      return [.decreaseValue]
    case .reset:
      return [.resetValue]
    case .show:
      return [.showAlert]
    }
  }

  func perform(_ action: Action) {
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

/// The plan that planners, designers, developers and testers share.
extension DefaultCounterViewModel: Planned {
  static let plan: [PlannedInput<DefaultCounterViewModel>] = [
    .input(
      .increase,
      "Increase is tapped",
      after: [.reset],
      [.action(.increaseValue, ["value": "is one more", "isReset": "is false"])]
    ),
    .input(
      .decrease,
      "Decrease is tapped",
      after: [.reset],
      [.action(.decreaseValue, ["value": "is one less", "isReset": "is false"])]
    ),
    .input(
      .reset,
      "Reset is tapped",
      after: [.increase],
      [.action(.resetValue, ["value": "is 0", "isReset": "is true"])]
    ),
    .input(.show, "Show is tapped", [.action(.showAlert, ["showAlert": "is triggered"])]),
  ]
}

/// A screen that takes any of the implementations.
@MainActor private final class CounterScreen<Model: CounterViewModel> {
  let viewModel: ObservableStore<Model>
  var observation: StoreObservation?
  var alerts = 0

  init(_ viewModel: ObservableStore<Model>) {
    self.viewModel = viewModel
    observation = viewModel.observe(pulse: \.$showAlert) { [weak self] _ in self?.alerts += 1 }
  }
}

struct `UIFusionKit's synchronous counter` {
  @Test func `matches its plan`() async {
    await expectPlan { _ in DefaultCounterViewModel() }
  }

  @Test func `can be tested without a store`() {
    let viewModel = DefaultCounterViewModel()
    viewModel.send(.increase)
    viewModel.send(.increase)
    viewModel.send(.decrease)
    #expect(viewModel.state.value == 1 && !viewModel.state.isReset)
    viewModel.send(.reset)
    #expect(viewModel.state.value == 0 && viewModel.state.isReset)
  }

  @Test @MainActor func `alerts each time that it is asked to, but not at first`() {
    let screen = CounterScreen(ObservableStore { _ in DefaultCounterViewModel() })
    #expect(screen.alerts == 0)
    screen.viewModel.send(.show, .show)
    #expect(screen.alerts == 2)
    screen.viewModel.send(.increase)
    #expect(screen.alerts == 2 && screen.viewModel.state.value == 1)
  }
}
