import Testing
import UIFusionKit
import UIFusionTesting

// The differences that the guide on porting lists and that no sample shows.

/// A counter with two members, whose Inputs may overlap if their policy says so.
private final class Counter: AsyncViewModel {
  enum Input { case increase, increaseBeside, countTwice, giveUp, fail }
  typealias Action = Input

  struct State: Equatable {
    var value = 0
    var isReset = true
    var problem: SendableError?
  }

  var state = State()
  private let time: any TimeSource

  init(time: any TimeSource) { self.time = time }

  func transform(_ input: Input) async -> [Action] { [input] }

  func policy(for input: Input) -> InputPolicy {
    input == .increaseBeside ? .overlapping : .inOrder
  }

  func perform(_ action: Action) async throws {
    switch action {
    case .increase, .increaseBeside:
      try await time.sleep(for: .seconds(1))
      state.value += 1
    case .countTwice:
      state.value += 1
      state.isReset = false
      state.value += 1
    case .giveUp: throw CancellationError()
    case .fail: throw CounterError.valueOutOfRange(current: 11, min: -10, max: 10)
    }
  }

  func handleError(_ error: SendableError) async { state.problem = error }
}

/// Starts two effects with one array.
private struct Pair: ReducerViewModel {
  enum Input { case wait }
  enum Action: Equatable { case wait, waited(Int) }
  struct State: Equatable { var order: [Int] = [] }

  var state = State()

  func transform(_ input: Input) -> [Action] { [.wait] }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .wait:
      return [2, 1].map { .sleepThen(for: .seconds($0), action: .waited($0)) }
    case .waited(let seconds):
      state.order.append(seconds)
      return []
    }
  }
}

@MainActor struct `A ported view model` {
  private let clock = TestClock()

  private func store() -> ObservableStore<Counter> {
    ObservableStore(clock.dependencies) { Counter(time: $0.time) }
  }

  @Test func `publishes State when an action ends, not at each assignment`() async {
    let store = store()
    var told: [Counter.State] = []
    let observation = store.observe { told.append($0) }
    store.send(.countTwice)
    await clock.idle()
    store.deliver()
    #expect(told.map(\.value) == [0, 2] && told.map(\.isReset) == [true, false])
    withExtendedLifetime(observation) {}
  }

  @Test(arguments: [(Counter.Input.increase, 1), (.increaseBeside, 2)])
  fileprivate func `processes Inputs one after another, unless their policy says otherwise`(
    input: Counter.Input,
    value: Int
  ) async {
    let store = store()
    store.send(input, input)
    await clock.advance(by: .seconds(1))
    store.deliver()
    #expect(store.state.value == value)
  }

  @Test func `identifies an error by its type name, domain and code`() async throws {
    let store = store()
    store.send(.fail)
    await clock.idle()
    store.deliver()
    let problem = try #require(store.state.problem)
    #expect(problem.typeName == "CounterError" && problem.domain == "SeedTests.CounterError")
    #expect(
      problem.code == SendableError(CounterError.valueOutOfRange(current: 0, min: 0, max: 0)).code
    )
  }

  @Test func `does not treat cancellation as an error`() async {
    let store = store()
    store.send(.giveUp)
    await clock.idle()
    store.deliver()
    #expect(store.state == Counter.State())
  }

  @Test func `cancels its work when its store is released`() async {
    do {
      let store = store()
      store.send(.increase)
      await clock.idle()
      #expect(clock.sleepers == 1)
    }
    await clock.idle()
    #expect(clock.sleepers == 0)
  }

  @Test func `runs the effects of one array concurrently`() async {
    let store = AsyncTestStore { _ in Pair() }
    await store.send(.wait)
    await store.advance(by: .seconds(1))
    await store.receive(.waited(1)) { $0.order = [1] }
    await store.advance(by: .seconds(1))
    await store.receive(.waited(2)) { $0.order = [1, 2] }
    await store.finish()
  }
}
