import Observation
import Synchronization
import Testing
import UIFusionKit
import UIFusionTesting

/// AsyncReactorKit's SwiftUI view, as the values that its body reads and the Inputs that its buttons send.
@MainActor private struct CounterView {
  let store: ObservableStore<CounterReactor>

  var text: String { "\(store.state.count)" }

  func decrement() { store.send(.decrement) }
  func increment() { store.send(.increment) }
  func reset() { store.send(.reset) }
}

@MainActor struct `AsyncReactorKit's SwiftUI view` {
  private let clock = TestClock()

  @Test func `is redrawn with each count`() async {
    let view = CounterView(store: ObservableStore(clock.dependencies) { _ in CounterReactor() })
    let drawings = Mutex(0)
    for (tap, text) in [(view.increment, "1"), (view.decrement, "0"), (view.reset, "0")] {
      withObservationTracking {
        _ = view.text
      } onChange: {
        drawings.withLock { $0 += 1 }
      }
      tap()
      await clock.idle()
      view.store.deliver()
      #expect(view.text == text)
    }
    #expect(drawings.withLock { $0 } == 3)
  }
}
