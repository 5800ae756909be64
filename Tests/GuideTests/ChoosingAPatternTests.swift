import Testing
import UIFusionKit
import UIFusionTesting

// What follows is the Swift of ChoosingAPattern.md and of UIFusionKit.md.

struct Poll: ViewModelProtocol {
  enum Input: Codable, Sendable { case vote(String), clear }
  enum Action: Sendable { case count(String), clear }
  struct State: Codable, Equatable, Sendable { var votes: [String: Int] = [:] }

  var state = State()

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .vote(let name): [.count(name)]
    case .clear: [.clear]
    }
  }

  mutating func perform(_ action: Action) {
    switch action {
    case .count(let name): state.votes[name, default: 0] += 1
    case .clear: state.votes = [:]
    }
  }
}

enum CounterInput: Codable, Sendable { case increase, reset }

struct CounterState: Codable, Equatable, Sendable {
  var value = 0
  var isBusy = false
  var problem: String?
}

struct LimitReached: Error, CustomStringConvertible {
  var description: String { "3 is the limit" }
}

struct SyncCounter: ViewModelProtocol {
  typealias Input = CounterInput
  typealias State = CounterState
  enum Action: Sendable { case add(Int), clear }

  var state = CounterState()

  func transform(_ input: CounterInput) -> [Action] {
    switch input {
    case .increase: [.add(1)]
    case .reset: [.clear]
    }
  }

  mutating func perform(_ action: Action) {
    switch action {
    case .add(let step): state.value += step
    case .clear: state.value = 0
    }
  }
}

final class AsyncCounter: AsyncViewModel {
  typealias Input = CounterInput
  typealias State = CounterState
  enum Action: Sendable { case add(Int), clear }

  var state = CounterState()
  private let time: any TimeSource

  init(time: any TimeSource) { self.time = time }

  func transform(_ input: CounterInput) async -> [Action] {
    switch input {
    case .increase: [.add(1)]
    case .reset: [.clear]
    }
  }

  func perform(_ action: Action) async throws {
    switch action {
    case .add(let step):
      state.isBusy = true
      defer { state.isBusy = false }
      try await time.sleep(for: .milliseconds(500))
      guard state.value + step <= 3 else { throw LimitReached() }
      state.value += step
    case .clear:
      state.value = 0
    }
  }

  func handleError(_ error: SendableError) async { state.problem = error.description }
}

struct ReducerCounter: ReducerViewModel {
  typealias Input = CounterInput
  typealias State = CounterState
  enum Action: Equatable, Sendable { case add(Int), added(Int), failed(SendableError), clear }
  enum EffectName { case add }

  var state = CounterState()
  let time: any TimeSource

  func transform(_ input: CounterInput) -> [Action] {
    switch input {
    case .increase: [.add(1)]
    case .reset: [.clear]
    }
  }

  func reduce(state: inout CounterState, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .add(let step):
      state.isBusy = true
      let sum = state.value + step
      return [
        .runAction(id: EffectName.add) { [time] in
          try await time.sleep(for: .milliseconds(500))
          guard sum <= 3 else { throw LimitReached() }
          return .added(step)
        }
      ]
    case .added(let step):
      state.value += step
      state.isBusy = false
    case .failed(let error):
      state.problem = error.description
      state.isBusy = false
    case .clear:
      state = CounterState()
      return [.cancel(id: EffectName.add)]
    }
    return []
  }

  func handleError(_ error: SendableError) -> [Action] { [.failed(error)] }
}

final class CounterReactor: AsyncReactor {
  typealias Input = CounterInput
  typealias State = CounterState
  enum Mutation: Sendable { case setBusy(Bool), setValue(Int), setProblem(String) }

  var currentState = CounterState()
  private let time: any TimeSource

  init(time: any TimeSource) { self.time = time }

  func reduce(_ input: CounterInput) async -> Mutation {
    switch input {
    case .increase where currentState.value < 3: .setValue(currentState.value + 1)
    case .increase: .setProblem("\(LimitReached())")
    case .reset: .setValue(0)
    }
  }

  func reduce(
    _ input: CounterInput,
    send: nonisolated(nonsending) (_ mutation: Mutation) async -> Void
  ) async {
    if input == .increase {
      await send(.setBusy(true))
      try? await time.sleep(for: .milliseconds(500))
      await send(.setBusy(false))
    }
    await send(await reduce(input))
  }

  func mutate(_ state: CounterState, mutation: Mutation) async -> CounterState {
    var state = state
    switch mutation {
    case .setBusy(let isBusy): state.isBusy = isBusy
    case .setValue(let value): state.value = value
    case .setProblem(let problem): state.problem = problem
    }
    return state
  }
}

final class PatientCounter: AsyncViewModel {
  typealias Input = CounterInput
  typealias Action = CounterInput
  typealias State = CounterState

  var state = CounterState()
  private let time: any TimeSource

  init(time: any TimeSource) { self.time = time }

  func policy(for input: CounterInput) -> InputPolicy {
    switch input {
    case .increase: .inOrder
    case .reset: .overlapping
    }
  }

  func transform(_ input: CounterInput) async -> [CounterInput] { [input] }

  func perform(_ action: CounterInput) async throws {
    if action == .reset { return state.value = 0 }
    try await time.sleep(for: .milliseconds(500))
    state.value += 1
  }

  func handleError(_ error: SendableError) async { state.problem = error.description }
}

struct `The guide on choosing a pattern` {
  private let clock = TestClock()

  /// Returns each published State of a counter as text: its value, whether it is busy, and its problem.
  private func published<Model: ViewModel>(
    of inputs: CounterInput...,
    make: @Sendable () -> Model
  ) async -> [String] where Model.Input == CounterInput, Model.State == CounterState {
    let store = Store(clock.dependencies) { _ in make() }
    let states = store.states
    for input in inputs { store.send(input) }
    await clock.run()
    store.close()
    var texts: [String] = []
    for await state in states {
      texts.append(
        "\(state.value)\(state.isBusy ? "…" : "")\(state.problem.map { " " + $0 } ?? "")"
      )
    }
    return texts
  }

  @Test func `shows a synchronous counter`() async {
    #expect(
      await published(of: .increase, .increase, .reset) { SyncCounter() } == ["0", "1", "2", "0"]
    )
  }

  @Test func `shows an asynchronous counter, which works step by step`() async {
    let clock = clock
    let texts = await published(of: .increase, .increase) { AsyncCounter(time: clock) }
    #expect(texts == ["0", "0…", "1", "1…", "2"])
  }

  @Test func `shows a reducing counter, whose effect is replaced`() async {
    let clock = clock
    let texts = await published(of: .increase, .increase) { ReducerCounter(time: clock) }
    #expect(texts == ["0", "0…", "1"])
  }

  @Test func `shows a reacting counter`() async {
    let clock = clock
    let texts = await published(of: .increase, .increase) { CounterReactor(time: clock) }
    #expect(texts == ["0", "0…", "0", "1", "1…", "1", "2"])
  }

  @Test func `shows the limit in each pattern that suspends`() async {
    let clock = clock
    let one = await published(of: .increase, .increase, .increase, .increase) {
      AsyncCounter(time: clock)
    }
    #expect(one.suffix(2) == ["3…", "3 3 is the limit"])
    let two = await published(of: .increase, .increase, .increase, .increase) {
      CounterReactor(time: clock)
    }
    #expect(two.suffix(3) == ["3…", "3", "3 3 is the limit"])
    let three = await published(of: .increase) {
      ReducerCounter(state: CounterState(value: 3), time: clock)
    }
    #expect(three == ["3", "3…", "3 3 is the limit"])
  }

  @Test func `shows an Input that overlaps others`() async {
    let clock = clock
    let store = Store(clock.dependencies) { PatientCounter(time: $0.time) }
    store.send(.increase)
    await clock.advance(by: .milliseconds(500))
    store.send(.increase)
    store.send(.reset)
    #expect(store.state.value == 0)
    await clock.advance(by: .milliseconds(500))
    #expect(store.state.value == 1)
  }

  @Test func `shows how to bind a view model`() async {
    let store = Store { _ in Poll() }
    let observation = store.observe(\.votes) { print("votes:", $0) }
    await store.send(.vote("Ada"), .vote("Ada")).settled()
    #expect(store.state.votes == ["Ada": 2])
    observation.stop()
  }
}
