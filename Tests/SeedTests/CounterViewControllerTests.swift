import Testing
import UIFusionKit
import UIFusionTesting

/// UIFusionKit's view controller, bound to the asynchronous counter.
@MainActor private final class CounterViewController {
  private let viewModel: ObservableStore<CounterAsyncViewModel>
  private var observations: [StoreObservation] = []

  let valueLabel = Label()
  let increaseButton = Button()
  let decreaseButton = Button()
  let resetButton = Button()
  let showButton = Button()
  var alerts: [String] = []

  init(_ viewModel: ObservableStore<CounterAsyncViewModel>) {
    self.viewModel = viewModel
  }

  func viewDidLoad() {
    bindState()
    bindInput()
  }

  private func bindState() {
    observations.append(
      viewModel.observe(\.value) { [valueLabel] in valueLabel.text = "Value: \($0)" }
    )

    observations.append(
      viewModel.observe(pulse: \.$activeAlert) { [weak self] alertType in
        guard let self, let alertType else { return }

        switch alertType {
        case .info:
          self.showInfoAlert(self.viewModel.state.value.description)
        case .error(let error):
          self.showErrorAlert(error)
        case .none:
          break
        }
      }
    )

    observations.append(
      viewModel.observe(\.loadingState) { [weak self] state in
        guard let self else { return }

        switch state {
        case .increasing:
          self.increaseButton.showsActivityIndicator = true
          self.increaseButton.isEnabled = false

        case .decreasing:
          self.decreaseButton.showsActivityIndicator = true
          self.decreaseButton.isEnabled = false

        case .none:
          self.increaseButton.showsActivityIndicator = false
          self.increaseButton.isEnabled = true

          self.decreaseButton.showsActivityIndicator = false
          self.decreaseButton.isEnabled = true
        }
      }
    )
  }

  private func bindInput() {
    increaseButton.addAction(self) { owner in
      owner.viewModel.send(.increase)
    }

    decreaseButton.addAction(self) { owner in
      owner.viewModel.send(.decrease)
    }

    resetButton.addAction(self) { owner in
      owner.viewModel.send(.reset)
    }

    showButton.addAction(self) { owner in
      owner.viewModel.send(.show)
    }
  }

  private func showInfoAlert(_ text: String) { alerts.append(text) }

  private func showErrorAlert(_ error: SendableError) { alerts.append(error.localizedDescription) }
}

@MainActor struct `UIFusionKit's view controller` {
  private let clock = TestClock()

  private func screen(
    value: Int = 0
  ) -> (CounterViewController, ObservableStore<CounterAsyncViewModel>) {
    let viewModel = ObservableStore(clock.dependencies) {
      CounterAsyncViewModel(value: value, time: $0.time)
    }
    let controller = CounterViewController(viewModel)
    controller.viewDidLoad()
    return (controller, viewModel)
  }

  @Test func `shows the first value, and a busy button`() async {
    let (controller, viewModel) = screen()
    #expect(controller.valueLabel.text == "Value: 0")
    controller.increaseButton.tap()
    #expect(controller.increaseButton.showsActivityIndicator)
    #expect(!controller.increaseButton.isEnabled && controller.decreaseButton.isEnabled)
    await clock.advance(by: .milliseconds(500))
    viewModel.deliver()
    #expect(controller.valueLabel.text == "Value: 1")
    #expect(!controller.increaseButton.showsActivityIndicator)
    #expect(controller.increaseButton.isEnabled)
  }

  @Test func `counts down and back to zero`() async {
    let (controller, viewModel) = screen()
    controller.decreaseButton.tap()
    #expect(controller.decreaseButton.showsActivityIndicator)
    await clock.advance(by: .milliseconds(500))
    viewModel.deliver()
    #expect(controller.valueLabel.text == "Value: -1")
    controller.resetButton.tap()
    await clock.idle()
    viewModel.deliver()
    #expect(controller.valueLabel.text == "Value: 0")
  }

  @Test func `alerts each time that show is tapped`() async {
    let (controller, viewModel) = screen(value: 3)
    for _ in 1...2 {
      controller.showButton.tap()
      await clock.idle()
      viewModel.deliver()
    }
    #expect(controller.alerts == ["3", "3"])
  }

  @Test func `alerts with an error`() async {
    let (controller, viewModel) = screen(value: 10)
    controller.increaseButton.tap()
    await clock.advance(by: .milliseconds(500))
    viewModel.deliver()
    #expect(controller.alerts == ["11 is not within -10 and 10."])
    #expect(controller.valueLabel.text == "Value: 10")
  }

  @Test func `is freed when it is released`() {
    weak var gone: CounterViewController?
    do {
      let (controller, _) = screen()
      gone = controller
    }
    #expect(gone == nil)
  }
}
