import Observation
import Synchronization
import Testing
import UIFusionKit
import UIFusionTesting

/// A form: a name to type, a check that takes a second, and a message.
private struct Form: ReducerViewModel {
  enum Input: Sendable { case rename(String), check, greet }
  enum Action: Sendable { case rename(String), check, checked, greet }
  struct State: Equatable, Sendable {
    var name = ""
    var isChecked = false
    @Pulse var message = ""
  }

  let time: any TimeSource
  var state = State()

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .rename(let name): [.rename(name)]
    case .check: [.check]
    case .greet: [.greet]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .rename(let name): state.name = name
    case .check: return [.sleepThen(for: .seconds(1), action: .checked)]
    case .checked: state.isChecked = true
    case .greet: state.message = "Hello"
    }
    return []
  }
}

/// A view as in AppKit and UIKit: only the main actor may touch it.
@MainActor private final class Label {
  var texts: [String] = []
}

@MainActor struct `A store for views` {
  private let clock = TestClock()

  private func store() -> ObservableStore<Form> {
    ObservableStore(clock.dependencies) { Form(time: $0.time) }
  }

  @Test func `shows an edit as soon as it is sent`() {
    let store = store()
    let name = store.binding(\.name) { .rename($0) }
    name.wrappedValue = "Ada"
    #expect(name.wrappedValue == "Ada")
    #expect(store.state.name == "Ada")
  }

  @Test func `feeds two kinds of views from one view model`() async {
    let store = store()
    let label = Label()
    let observation = store.observe(\.name) { label.texts.append($0) }
    let isOutdated = Mutex(false)
    withObservationTracking {
      _ = store.state.name
    } onChange: {
      isOutdated.withLock { $0 = true }
    }
    store.send(.rename("Ada"))
    #expect(label.texts == ["", "Ada"])
    #expect(isOutdated.withLock { $0 })
    withExtendedLifetime(observation) {}
  }

  @Test func `delivers the result of asynchronous work on the main actor`() async {
    let store = store()
    let label = Label()
    let observation = store.observe(\.isChecked) { label.texts.append("\($0)") }
    let sending = store.send(.check)
    await clock.advance(by: .seconds(1))
    await sending.settled()
    store.deliver()
    #expect(label.texts == ["false", "true"])
    withExtendedLifetime(observation) {}
  }

  @Test func `delivers without a call of deliver`() async {
    let store = store()
    let checked = await withCheckedContinuation { continuation in
      var observation: StoreObservation?
      observation = store.observe(\.isChecked) { isChecked in
        guard isChecked else { return }
        withExtendedLifetime(observation) {}
        observation = nil
        continuation.resume(returning: store.state.isChecked)
      }
      store.send(.check)
      Task { [clock] in await clock.advance(by: .seconds(1)) }
    }
    #expect(checked)
  }

  @Test func `reports each assignment of a pulse from the moment of observing`() {
    let store = store()
    store.send(.greet)
    let label = Label()
    let observation = store.observe(pulse: \.$message) { label.texts.append($0) }
    #expect(label.texts.isEmpty)
    store.send(.greet)
    store.send(.rename("Ada"))
    store.send(.greet)
    #expect(label.texts == ["Hello", "Hello"])
    withExtendedLifetime(observation) {}
  }

  @Test func `delivers States in order to an observer that sends while it observes`() {
    let store = store()
    let label = Label()
    let first = store.observe(\.name) { name in
      if name == "a" { store.send(.rename("b")) }
    }
    let second = store.observe(\.name) { label.texts.append($0) }
    store.send(.rename("a"))
    #expect(label.texts == ["", "a", "b"])
    withExtendedLifetime((first, second)) {}
  }

  @Test func `notifies an observer of the changes that its own first call causes`() {
    let store = store()
    let label = Label()
    let observation = store.observe { state in
      label.texts.append(state.name)
      if state.name.isEmpty { store.send(.rename("Ada")) }
    }
    #expect(label.texts == ["", "Ada"])
    withExtendedLifetime(observation) {}
  }

  @Test func `notifies no observer that has stopped, not even during a delivery`() {
    let store = store()
    let label = Label()
    var second: StoreObservation?
    let first = store.observe(\.name) { name in
      if name == "Ada" { second = nil }
    }
    second = store.observe(\.name) { label.texts.append($0) }
    store.send(.rename("Ada"))
    #expect(label.texts == [""])
    withExtendedLifetime((first, second)) {}
  }

  @Test func `frees the view model when it is released`() async {
    weak var gone: ObservableStore<Form>?
    do {
      let store = store()
      store.send(.check)
      gone = store
    }
    await clock.idle()
    #expect(gone == nil)
    #expect(clock.sleepers == 0)
  }
}
