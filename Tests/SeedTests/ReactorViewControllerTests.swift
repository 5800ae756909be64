import Testing
import UIFusionKit
import UIFusionTesting

/// AsyncReactorKit's view controller, which still uses `state(_:)` to observe.
@MainActor private final class CounterViewController {
  let countLabel = Label()
  let incrementButton = Button()
  let decrementButton = Button()
  var alerts: [String] = []

  private let store: ObservableStore<CounterReactor>
  private var observation: StoreObservation?

  init(store: ObservableStore<CounterReactor>) {
    self.store = store
  }

  func viewDidLoad() {
    observation = store.observe { [weak self] in self?.state($0) }
    setupActions()
  }

  private func setupActions() {
    incrementButton.addAction { [weak self] in self?.incrementTapped() }
    decrementButton.addAction { [weak self] in self?.decrementTapped() }
  }

  private func incrementTapped() {
    store.send(.increment)
  }

  private func decrementTapped() {
    store.send(.decrement)
  }

  func state(_ state: CounterReactor.State) {
    state.$count.updated { [weak self] count in
      self?.countLabel.text = "\(count)"
    }

    state.$message.updated { [weak self] message in
      guard let message = message else { return }
      self?.showAlert(message)
    }
  }

  private func showAlert(_ message: String) { alerts.append(message) }
}

@MainActor struct `AsyncReactorKit's view controller` {
  private let clock = TestClock()

  private func screen() -> (CounterViewController, ObservableStore<CounterReactor>) {
    let store = ObservableStore(clock.dependencies) { _ in CounterReactor() }
    let controller = CounterViewController(store: store)
    controller.viewDidLoad()
    return (controller, store)
  }

  private func settle(_ store: ObservableStore<CounterReactor>) async {
    await clock.idle()
    store.deliver()
  }

  @Test func `shows the count, and alerts with each message`() async {
    let (controller, store) = screen()
    controller.incrementButton.tap()
    await settle(store)
    #expect(controller.countLabel.text == "1")
    controller.decrementButton.tap()
    await settle(store)
    #expect(controller.countLabel.text == "0")
    #expect(controller.alerts == ["The count is now 1", "The count is now 0"])
  }

  @Test func `receives an equal value, too`() async {
    let (controller, store) = screen()
    store.send(.reset, .reset)
    await settle(store)
    #expect(controller.countLabel.text == "0")
    #expect(controller.alerts == ["The count is now 0", "The count is now 0"])
  }

  @Test func `does not receive the initial State`() {
    let (controller, store) = screen()
    #expect(controller.countLabel.text.isEmpty && store.state.count == 0)
  }
}
