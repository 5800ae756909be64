import Testing
import UIFusionKit
import UIFusionTesting

/// A screen that is one of several: a counter, or a clock that ticks.
private struct Screen: ReducerViewModel {
  struct Clock: ReducerViewModel {
    enum Action: Equatable, Sendable { case start, tick }
    struct State: Equatable, Sendable { var seconds = 0 }

    var state = State()
    func started() -> [Action] { [.start] }
    func transform(_ input: Action) -> [Action] { [input] }
    func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
      switch action {
      case .start: return [.timer(id: "clock", every: .seconds(1), action: .tick)]
      case .tick: state.seconds += 1
      }
      return []
    }
  }

  enum Action: Equatable, Sendable { case counter(Counter.Action), clock(Clock.Action), close }
  enum State: Equatable, Sendable, Addressed {
    case counter(Counter.State), clock(Clock.State)

    var counter: Counter.State? {
      get { if case .counter(let state) = self { state } else { nil } }
      set { if let newValue { self = .counter(newValue) } }
    }
    var clock: Clock.State? {
      get { if case .clock(let state) = self { state } else { nil } }
      set { if let newValue { self = .clock(newValue) } }
    }
    var addressName: String { counter == nil ? "clock" : "counter" }
  }

  var state = State.counter(Counter.State())
  let counter = Child<Screen, Counter>(\.counter, Action.counter, dismissed: .close) { Counter() }
  let clock = Child<Screen, Clock>(\.clock, Action.clock) { Clock() }

  func started() -> [Action] { clock.started(in: state) }
  func transform(_ input: Action) -> [Action] { [input] }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .counter(let action): counter.reduce(&state, action)
    case .clock(let action): clock.reduce(&state, action)
    case .close: [.dismiss]
    }
  }
}

/// A stack of screens, and a sheet over it.
private struct App: ReducerViewModel {
  enum Action: Equatable, Sendable {
    case screens(id: Int, action: Screen.Action), push(Screen.State), pop(Int), home, go(String)
    case sheet(Screen.Action), present(Screen.State?)
  }
  struct State: Equatable, Sendable {
    var screens = ChildStack<Screen.State>()
    var sheet: Screen.State?
  }

  var state = State()
  let screens = Children<App, Int, Screen>(\.screens, Action.screens, dismissed: Action.pop) {
    Screen()
  }
  let sheet = Child<App, Screen>(\.sheet, Action.sheet, dismissed: .present(nil)) { Screen() }

  func transform(_ input: Action) -> [Action] { [input] }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .screens(let id, let action): return screens[id].reduce(&state, action)
    case .push(let screen):
      let id = state.screens.push(screen)
      return screens[id].start(&state)
    case .pop(let id): state.screens.pop(from: id)
    case .home: state.screens.removeAll()
    case .go(let address):
      state.screens.go(to: address) { $0 == "clock" ? .clock(.init()) : .counter(.init()) }
    case .sheet(let action): return sheet.reduce(&state, action)
    case .present(let screen):
      state.sheet = screen
      return sheet.start(&state)
    }
    return []
  }
}

struct `TCA's stack of screens` {
  private let store = AsyncTestStore { _ in App() }
  private let counter = Screen.State.counter(Counter.State())
  private let clock = Screen.State.clock(Screen.Clock.State())

  private func push(_ screen: Screen.State) async {
    await store.send(.push(screen)) { _ = $0.screens.push(screen) }
  }

  @Test func `holds screens of several kinds, each with its own State`() async {
    await push(counter)
    await push(counter)
    await store.send(.screens(id: 2, action: .counter(.increment))) {
      _ = $0.screens.modify(2) { $0.counter?.count = 1 }
    }
    await store.send(.screens(id: 1, action: .clock(.tick)))
    #expect(store.state.screens[id: 1] == counter)
    await store.finish()
  }

  @Test func `starts a screen's first effects, and cancels them with the screen`() async {
    await push(counter)
    await push(clock)
    await store.advance(by: .seconds(1))
    await store.receive(.screens(id: 2, action: .clock(.tick))) {
      _ = $0.screens.modify(2) { $0.clock?.seconds = 1 }
    }
    await store.send(.pop(2)) { $0.screens.pop(from: 2) }
    await store.advance(by: .seconds(3))
    await store.finish()
  }

  @Test func `pops a screen that asks for it, and all above it`() async {
    for screen in [counter, counter, clock] { await push(screen) }
    await store.send(.screens(id: 2, action: .counter(.close)))
    await store.receive(.screens(id: 2, action: .close))
    await store.receive(.pop(2)) { $0.screens.pop(from: 2) }
    #expect(store.state.screens.address == "counter")
    await store.finish()
  }

  @Test func `pops to the root, and navigates to an address`() async {
    for screen in [counter, clock] { await push(screen) }
    await store.send(.home) { $0.screens.removeAll() }
    await store.send(.go("clock/counter")) { [clock, counter] in
      $0.screens.push(clock)
      $0.screens.push(counter)
    }
    #expect(store.state.screens.address == "clock/counter")
    await store.finish()
  }

  @Test func `has one destination at a time, whose effects end with it`() async {
    await store.send(.present(clock)) { [clock] in $0.sheet = clock }
    await store.send(.present(counter)) { [counter] in $0.sheet = counter }
    await store.advance(by: .seconds(2))
    await store.send(.sheet(.counter(.close)))
    await store.receive(.sheet(.close))
    await store.receive(.present(nil)) { $0.sheet = nil }
    await store.finish()
  }
}
