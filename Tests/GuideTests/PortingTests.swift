import Testing
import UIFusionKit
import UIFusionTesting

// What follows is the Swift of Porting.md and of PortingReactors.md.

struct TallyState: Codable, Equatable, Sendable {
  var value = 0
  var isReset = false
  @Pulse var showAlert: Never? = nil
}

enum TallyInput: Codable, Sendable { case increase, reset, show }
enum TallyAction: Sendable { case increaseValue, resetValue, showAlert }

protocol TallyViewModel: ViewModelProtocol
where Input == TallyInput, Action == TallyAction, State == TallyState {}

struct DefaultTally: TallyViewModel {
  var state = TallyState()

  func transform(_ input: TallyInput) -> [TallyAction] {
    switch input {
    case .increase: [.increaseValue]
    case .reset: [.resetValue]
    case .show: [.showAlert]
    }
  }

  mutating func perform(_ action: TallyAction) {
    switch action {
    case .increaseValue:
      state.value += 1
      state.isReset = false
    case .resetValue:
      state.value = 0
      state.isReset = true
    case .showAlert:
      state.$showAlert.fire()
    }
  }
}

/// A second implementation of the same protocol.
struct FrozenTally: TallyViewModel {
  var state = TallyState(value: 42)

  func transform(_ input: TallyInput) -> [TallyAction] { [] }

  mutating func perform(_ action: TallyAction) {}
}

func headline(of store: Store<some TallyViewModel>) -> String {
  store.send(.increase)
  return "Value: \(store.state.value)"
}

/// UIFusionKit's asynchronous counter.
final class SlowTally: AsyncViewModel {
  enum Input: Codable, Sendable { case increase }
  enum Action: Sendable { case increaseValue }
  struct Failure: Error {}
  enum LoadingState: String, Codable, Sendable { case none, increasing }

  struct State: Codable, Equatable, Sendable {
    var value = 0
    var loadingState = LoadingState.none
    var activeAlert: String?
  }

  var state = State()
  private let time: any TimeSource

  init(time: any TimeSource) { self.time = time }

  func transform(_ input: Input) async -> [Action] { [.increaseValue] }

  func perform(_ action: Action) async throws {
    switch action {
    case .increaseValue: try await increaseValue()
    }
  }

  nonisolated(nonsending) private func increaseValue() async throws {
    state.loadingState = .increasing
    defer { state.loadingState = .none }
    try await time.sleep(for: .milliseconds(500))
    guard state.value < 10 else { throw Failure() }
    state.value += 1
  }

  func handleError(_ error: SendableError) async {
    state.activeAlert = error.description
  }
}

/// AsyncViewModel's counter.
struct NumberCounter: ReducerViewModel {
  enum Input: Codable, Sendable { case increment, fetch }
  enum Action: Equatable, Sendable { case increment, setLoading(Bool), setNumber(Int) }
  enum CancelID: Hashable, Sendable { case fetch }
  struct State: Codable, Equatable, Sendable { var count = 0, isLoading = false }

  var state = State()
  let time: any TimeSource
  let random: RandomSource

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .increment: [.increment]
    case .fetch: [.setLoading(true)]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .increment:
      state.count += 1
    case .setLoading(let isLoading):
      state.isLoading = isLoading
      guard isLoading else { return [] }
      return [
        .runAction(id: CancelID.fetch) { [time, random] in
          try await time.sleep(for: .seconds(1))
          return .setNumber(random.number(in: 1...100))
        }
      ]
    case .setNumber(let number):
      state.count = number
      state.isLoading = false
    }
    return []
  }
}

/// AsyncReactorKit's counter.
final class PulseCounter: AsyncReactor {
  enum Input: Codable, Sendable { case increment, reset }
  enum Mutation: Sendable { case setCount(Int) }
  struct State: Codable, Equatable, Sendable {
    @Pulse var count = 0
    @Pulse var message: String?
  }

  var currentState = State()

  func reduce(_ input: Input) async -> Mutation {
    switch input {
    case .increment: .setCount(currentState.count + 1)
    case .reset: .setCount(0)
    }
  }

  func mutate(_ state: State, mutation: Mutation) async -> State {
    var newState = state
    switch mutation {
    case .setCount(let count):
      newState.count = count
      newState.message = "\(count)"
    }
    return newState
  }
}

/// ReactorKit's counter.
final class RxCounter: AsyncReactor {
  enum Input: Codable, Sendable { case increase }
  enum Mutation: Sendable { case setLoading(Bool), increaseValue }
  struct State: Codable, Equatable, Sendable { var value = 0, isLoading = false }

  var currentState = State()
  private let time: any TimeSource

  init(time: any TimeSource) { self.time = time }

  func reduce(
    _ input: Input,
    send: nonisolated(nonsending) (_ mutation: Mutation) async -> Void
  ) async {
    switch input {
    case .increase:
      await send(.setLoading(true))
      try? await time.sleep(for: .milliseconds(500))
      await send(.increaseValue)
      await send(.setLoading(false))
    }
  }

  func mutate(_ state: State, mutation: Mutation) async -> State {
    var state = state
    switch mutation {
    case .setLoading(let isLoading): state.isLoading = isLoading
    case .increaseValue: state.value += 1
    }
    return state
  }
}

struct TimerFeature: ReducerViewModel {
  enum Input: Codable, Sendable { case toggleTimer }
  enum Action: Equatable, Sendable { case toggleTimer, timerTicked }
  enum CancelID { case timer }
  struct State: Codable, Equatable, Sendable { var isTimerActive = false, secondsElapsed = 0 }

  var state = State()

  func transform(_ input: Input) -> [Action] { [.toggleTimer] }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .toggleTimer:
      state.isTimerActive.toggle()
      guard state.isTimerActive else { return [.cancel(id: CancelID.timer)] }
      return [.timer(id: CancelID.timer, every: .seconds(1), action: .timerTicked)]
    case .timerTicked:
      state.secondsElapsed += 1
      return []
    }
  }
}

struct `The guide on porting` {
  private let clock = TestClock()

  @Test func `shows UIFusionKit's counter, which alerts twice`() async {
    let store = Store { _ in DefaultTally() }
    let labels = Labels()
    let observation = store.state { $0.$showAlert.updated { _ in labels.show("alert") } }
    await store.send(.increase, .show, .show).settled()
    #expect(store.state.value == 1 && labels.texts == ["alert", "alert"])
    await store.send(.reset).settled()
    #expect(store.state.value == 0 && store.state.isReset)
    observation.stop()
  }

  @Test func `shows two implementations of one protocol`() {
    #expect(headline(of: Store { _ in DefaultTally() }) == "Value: 1")
    #expect(headline(of: Store { _ in FrozenTally() }) == "Value: 42")
  }

  @Test func `shows UIFusionKit's asynchronous counter`() async {
    let store = AsyncTestStore { SlowTally(time: $0.time) }
    await store.send(.increase) { $0.loadingState = .increasing }
    await store.advance(by: .milliseconds(500))
    await store.change {
      $0.value = 1
      $0.loadingState = .none
    }
    await store.finish()
  }

  @Test func `shows AsyncViewModel's counter, which fetches a number`() async {
    let store = AsyncTestStore({ $0.random = RandomSource(seed: 1) }) {
      NumberCounter(time: $0.time, random: $0.random)
    }
    await store.send(.increment) { $0.count = 1 }
    await store.send(.fetch) { $0.isLoading = true }
    await store.advance(by: .seconds(1))
    await store.receive(where: { if case .setNumber = $0 { true } else { false } }) {
      $0.count = RandomSource(seed: 1).number(in: 1...100)
      $0.isLoading = false
    }
    await store.finish()
  }

  @Test func `shows AsyncReactorKit's counter, bound and stubbed`() async {
    let labels = Labels()
    let store = Store(clock.dependencies) { _ in PulseCounter() }
    let observation = store.state { state in
      state.$count.updated { labels.show("\($0)") }
      state.$message.updated { if let message = $0 { labels.show(message) } }
    }
    store.send(.increment)
    await clock.idle()
    #expect(labels.texts == ["1", "1"])
    observation.stop()
    let stub = Stub(reactor: PulseCounter())
    #expect(await stub.test(input: .increment).count == 1)
  }

  @Test func `shows ReactorKit's counter, which shows that it loads`() async {
    let clock = clock
    let store = Store(clock.dependencies) { RxCounter(time: $0.time) }
    store.send(.increase)
    #expect(store.state == RxCounter.State(value: 0, isLoading: true))
    await clock.run()
    #expect(store.state == RxCounter.State(value: 1, isLoading: false))
  }

  @Test func `shows TCA's timer, which counts seconds`() async {
    let store = AsyncTestStore { _ in TimerFeature() }
    await store.send(.toggleTimer) { $0.isTimerActive = true }
    await store.advance(by: .seconds(1))
    await store.receive(.timerTicked) { $0.secondsElapsed = 1 }
    await store.send(.toggleTimer) { $0.isTimerActive = false }
    await store.finish()
  }
}
