import Observation
import Synchronization
import Testing
import UIFusionKit
import UIFusionTesting

/// SwiftUI's `Binding`, with the types that it requires.
private struct Binding<Value> {
  let get: @isolated(any) @Sendable () -> Value
  let set: @isolated(any) @Sendable (Value) -> Void

  init(
    get: @escaping @isolated(any) @Sendable () -> Value,
    set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {
    self.get = get
    self.set = set
  }
}

/// An alert as SwiftUI draws it, with the button that dismisses it.
@MainActor private struct Alert {
  let title: String
  let message: String
  let dismiss: () -> Void
}

/// UIFusionKit's SwiftUI view, as the values that its body reads and the Inputs that its controls send.
@MainActor private struct CounterView {
  let viewModel: ObservableStore<CounterAsyncViewModel>

  var text: String { "Value: \(viewModel.state.value)" }

  var isIncreasing: Bool { viewModel.state.loadingState == .increasing }

  var activeAlert: Binding<CounterAsyncViewModel.AlertType?> {
    let alert = viewModel.binding(\.activeAlert) { _ in .dismissAlert }
    return Binding(get: alert.get, set: alert.set)
  }

  func alert(_ alertType: CounterAsyncViewModel.AlertType) -> Alert {
    switch alertType {
    case .info:
      return Alert(title: "Note", message: "\(viewModel.state.value)") {
        viewModel.send(.dismissAlert)
      }
    case .error(let error):
      return Alert(title: "Error", message: error.localizedDescription) {
        viewModel.send(.dismissAlert)
      }
    case .none:
      return Alert(title: "", message: "") {}
    }
  }
}

@MainActor struct `UIFusionKit's SwiftUI view` {
  private let clock = TestClock()

  private func view(value: Int = 0) -> CounterView {
    CounterView(
      viewModel: ObservableStore(clock.dependencies) {
        CounterAsyncViewModel(value: value, time: $0.time)
      }
    )
  }

  @Test func `is redrawn when a value that it reads changes`() async {
    let view = view()
    let isOutdated = Mutex(false)
    withObservationTracking {
      #expect(view.text == "Value: 0" && !view.isIncreasing)
    } onChange: {
      isOutdated.withLock { $0 = true }
    }
    view.viewModel.send(.increase)
    #expect(isOutdated.withLock { $0 } && view.isIncreasing)
    await clock.advance(by: .milliseconds(500))
    view.viewModel.deliver()
    #expect(view.text == "Value: 1" && !view.isIncreasing)
  }

  @Test func `shows an alert until its button is tapped`() async throws {
    let view = view(value: 3)
    #expect(await view.activeAlert.get() == nil)
    view.viewModel.send(.show)
    await clock.idle()
    view.viewModel.deliver()
    let alert = view.alert(try #require(await view.activeAlert.get()))
    #expect(alert.title == "Note" && alert.message == "3")
    alert.dismiss()
    await clock.idle()
    view.viewModel.deliver()
    #expect(await view.activeAlert.get() == nil)
  }

  @Test func `dismisses its alert when SwiftUI sets nil`() async {
    let view = view()
    view.viewModel.send(.show)
    await clock.idle()
    view.viewModel.deliver()
    await view.activeAlert.set(nil)
    await clock.idle()
    view.viewModel.deliver()
    #expect(await view.activeAlert.get() == nil)
  }

  @Test func `shows an error`() async throws {
    let view = view(value: -10)
    view.viewModel.send(.decrease)
    await clock.advance(by: .milliseconds(500))
    view.viewModel.deliver()
    let alert = view.alert(try #require(await view.activeAlert.get()))
    #expect(alert.title == "Error" && alert.message == "-11 is not within -10 and 10.")
  }
}
