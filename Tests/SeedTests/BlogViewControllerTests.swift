import Testing
import UIFusionKit
import UIFusionTesting

/// The view controller of UIFusionKit's article, with UIKit's own actions, and without a button for the
/// alert.
@MainActor private final class CounterViewController {
  private let viewModel: ObservableStore<CounterAsyncViewModel>
  private var observations: [StoreObservation] = []

  let valueLabel = Label()
  let increaseButton = Button()
  let decreaseButton = Button()
  let resetButton = Button()

  init(_ viewModel: ObservableStore<CounterAsyncViewModel>) {
    self.viewModel = viewModel
  }

  func viewDidLoad() {
    observations.append(
      viewModel.observe(\.value) { [weak self] in self?.valueLabel.text = "Value: \($0)" }
    )
    bindInput()
  }

  private func bindInput() {
    increaseButton.addAction { [weak self] in
      self?.viewModel.send(.increase)
    }

    decreaseButton.addAction { [weak self] in
      self?.viewModel.send(.decrease)
    }

    resetButton.addAction { [weak self] in
      self?.viewModel.send(.reset)
    }
  }
}

/// The same counter in SwiftUI, as the values that its body reads.
@MainActor private struct CounterView {
  let viewModel: ObservableStore<CounterAsyncViewModel>

  var text: String { "Value: \(viewModel.state.value)" }
}

@MainActor struct `One view model under UIKit and SwiftUI` {
  private let clock = TestClock()

  @Test func `shows the same State in both`() async {
    let viewModel = ObservableStore(clock.dependencies) { CounterAsyncViewModel(time: $0.time) }
    let controller = CounterViewController(viewModel)
    let view = CounterView(viewModel: viewModel)
    controller.viewDidLoad()
    for (tap, text) in [
      (controller.increaseButton.tap, "Value: 1"),
      (controller.resetButton.tap, "Value: 0"),
      (controller.decreaseButton.tap, "Value: -1"),
    ] {
      tap()
      await clock.advance(by: .milliseconds(500))
      viewModel.deliver()
      #expect(controller.valueLabel.text == text)
      #expect(view.text == text)
    }
  }
}
