import Testing
import UIFusionKit
import UIFusionTesting

/// Rows that lead to a counter that takes a second to load, either before the navigation or after it.
private struct Loading: ReducerViewModel {
  enum Action: Equatable, Sendable {
    case open(row: Int), loadThenOpen(row: Int), back
    case loaded(row: Int), counter(Counter.Action)
  }
  struct State: Equatable, Sendable {
    var rows = [10, 20, 30]
    var loading: Int?
    var isOpen = false
    var counter: Counter.State?
  }
  enum EffectName { case load }

  var state = State()
  let counter = Child<Loading, Counter>(\.counter, Action.counter, dismissed: .back) { Counter() }

  func transform(_ input: Action) -> [Action] { [input] }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .open(let row):
      state.isOpen = true
      return load(row, &state)
    case .loadThenOpen(let row): return load(row, &state)
    case .loaded(let row):
      (state.loading, state.isOpen) = (nil, true)
      state.counter = Counter.State(count: state.rows[row])
    case .back:
      (state.loading, state.isOpen, state.counter) = (nil, false, nil)
      return [.cancel(id: EffectName.load)]
    case .counter(let action): return counter.reduce(&state, action)
    }
    return []
  }

  private func load(_ row: Int, _ state: inout State) -> [AsyncEffect<Action>] {
    state.loading = row
    return [.sleepThen(id: EffectName.load, for: .seconds(1), action: .loaded(row: row))]
  }
}

struct `TCA's navigation with loading` {
  private let store = AsyncTestStore { _ in Loading() }

  @Test func `navigates at once, and shows the counter when it is loaded`() async {
    await store.send(.open(row: 1)) { ($0.isOpen, $0.loading) = (true, 1) }
    await store.advance(by: .seconds(1))
    await store.receive(.loaded(row: 1)) {
      $0.loading = nil
      $0.counter = Counter.State(count: 20)
    }
    await store.send(.counter(.increment)) { $0.counter?.count = 21 }
    await store.send(.back) { ($0.isOpen, $0.counter) = (false, nil) }
    await store.finish()
  }

  @Test func `navigates when the counter is loaded`() async {
    await store.send(.loadThenOpen(row: 0)) { $0.loading = 0 }
    await store.advance(by: .seconds(1))
    await store.receive(.loaded(row: 0)) {
      ($0.isOpen, $0.loading) = (true, nil)
      $0.counter = Counter.State(count: 10)
    }
    await store.send(.counter(.close))
    await store.receive(.back) { ($0.isOpen, $0.counter) = (false, nil) }
    await store.finish()
  }

  @Test func `cancels loading when the user goes back`() async {
    await store.send(.open(row: 2)) { ($0.isOpen, $0.loading) = (true, 2) }
    await store.send(.back) { ($0.isOpen, $0.loading) = (false, nil) }
    await store.advance(by: .seconds(2))
    await store.finish()
  }

  @Test func `loads only the row that was selected last`() async {
    await store.send(.loadThenOpen(row: 0)) { $0.loading = 0 }
    await store.advance(by: .milliseconds(500))
    await store.send(.loadThenOpen(row: 1)) { $0.loading = 1 }
    await store.advance(by: .seconds(1))
    await store.receive(.loaded(row: 1)) {
      ($0.isOpen, $0.loading) = (true, nil)
      $0.counter = Counter.State(count: 20)
    }
    await store.send(.back) { ($0.isOpen, $0.counter) = (false, nil) }
    await store.finish()
  }
}
