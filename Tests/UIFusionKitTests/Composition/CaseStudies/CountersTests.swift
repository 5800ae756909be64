import Testing
import UIFusionKit
import UIFusionTesting

/// Two counters that are always present, and a third that comes and goes.
private struct Counters: ReducerViewModel {
  enum Action: Equatable, Sendable {
    case first(Counter.Action), second(Counter.Action), optional(Counter.Action), toggle
  }
  struct State: Equatable, Sendable {
    var first = Counter.State(), second = Counter.State()
    var optional: Counter.State?
  }

  var state = State()
  let first = Child<Counters, Counter>(\.first, Action.first) { Counter() }
  let second = Child<Counters, Counter>(\.second, Action.second) { Counter() }
  let optional = Child<Counters, Counter>(\.optional, Action.optional, dismissed: .toggle) {
    Counter()
  }

  func transform(_ input: Action) -> [Action] { [input] }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .first(let action): return first.reduce(&state, action)
    case .second(let action): return second.reduce(&state, action)
    case .optional(let action): return optional.reduce(&state, action)
    case .toggle: state.optional = state.optional == nil ? Counter.State() : nil
    }
    return []
  }
}

struct `TCA's counters` {
  private let store = AsyncTestStore { _ in Counters() }

  @Test func `count independently`() async {
    await store.send(.first(.increment)) { $0.first.count = 1 }
    await store.send(.second(.decrement)) { $0.second.count = -1 }
    await store.send(.first(.increment)) { $0.first.count = 2 }
    await store.finish()
  }

  @Test func `come and go, and count from zero when they return`() async {
    await store.send(.optional(.increment))
    await store.send(.toggle) { $0.optional = Counter.State() }
    await store.send(.optional(.increment)) { $0.optional?.count = 1 }
    await store.send(.toggle) { $0.optional = nil }
    await store.send(.toggle) { $0.optional = Counter.State() }
    await store.finish()
  }

  @Test func `send nothing once they are removed`() async {
    await store.send(.toggle) { $0.optional = Counter.State() }
    await store.send(.optional(.incrementSoon))
    await store.send(.optional(.close))
    await store.receive(.toggle) { $0.optional = nil }
    await store.send(.toggle) { $0.optional = Counter.State() }
    await store.advance(by: .seconds(2))
    await store.finish()
  }
}
