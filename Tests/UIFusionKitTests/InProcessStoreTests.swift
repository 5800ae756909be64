import Synchronization
import Testing
import UIFusionKit
import UIFusionTesting

struct `A store` {
  private let clock = TestClock()

  /// Counts greetings, and announces each in a pulse.
  private final class Greeter: AsyncReactor {
    enum Input { case greet(String), other }
    enum Mutation { case greet(String), other }
    struct State: Equatable {
      @Pulse var message: String?
      var others = 0
    }

    var currentState = State()

    func reduce(_ input: Input) async -> Mutation {
      switch input {
      case .greet(let text): .greet(text)
      case .other: .other
      }
    }

    func mutate(_ state: State, mutation: Mutation) async -> State {
      var state = state
      switch mutation {
      case .greet(let text): state.message = text
      case .other: state.others += 1
      }
      return state
    }
  }

  /// Goes on after its task was cancelled.
  private final class Stubborn: AsyncReactor {
    var currentState = 0
    let time: any TimeSource

    init(time: any TimeSource) { self.time = time }

    func reduce(_ input: Int) async -> Int { input }

    func reduce(_ input: Int, send: nonisolated(nonsending) (Int) async -> Void) async {
      await send(input)
      try? await time.sleep(for: .seconds(1))
      await send(input + 1)
    }

    func mutate(_ state: Int, mutation: Int) async -> Int { mutation }
  }

  private final class Log<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])
    var all: [Value] { values.withLock { $0 } }
    func add(_ value: Value) { values.withLock { $0.append(value) } }
  }

  @Test func `shows the current State`() async {
    let store = Store(clock.dependencies) { Writer(time: $0.time) }
    #expect(store.state == Writer.State())
    store.send(.write("a"))
    #expect(store.state.busy == "a")
    await clock.advance(by: .seconds(1))
    #expect(store.state.text == "a")
  }

  @Test func `gives a follower every State from the current one to the end`() async {
    let store = Store { _ in Adder() }
    store.send(.add(1))
    let states = store.states
    store.send(.add(2), .add(3))
    store.close()
    var totals: [Int] = []
    for await state in states { totals.append(state.total) }
    #expect(totals == [1, 3, 6])
  }

  @Test func `gives the last State, and the end, to a follower that arrives after closing`() async {
    let store = Store(clock.dependencies) { _ in Adder() }
    store.send(.add(1))
    store.close()
    let (log, isOver) = (Log<Int>(), Flag())
    let reading = Task(executorPreference: clock.executor) { [states = store.states] in
      for await state in states { log.add(state.total) }
      isOver.set()
    }
    await clock.idle()
    #expect(log.all == [1] && isOver.isSet)
    reading.cancel()
  }

  @Test func `notifies an observer of a member only when the member changes`() {
    let store = Store { _ in Adder() }
    let log = Log<Int>()
    let observation = store.observe(\.total) { log.add($0) }
    store.send(.add(1), .add(0), .nothing, .add(2))
    observation.stop()
    store.send(.add(9))
    #expect(log.all == [0, 1, 3])
  }

  @Test func `stops notifying when the observation is released`() {
    let store = Store { _ in Adder() }
    let log = Log<Int>()
    do {
      let observation = store.observe(\.total) { log.add($0) }
      store.send(.add(1))
      _ = observation
    }
    store.send(.add(1))
    #expect(log.all == [0, 1])
  }

  @Test func `case 25: notices each assignment of a pulse, and only those`() async {
    let store = Store(clock.dependencies) { _ in Greeter() }
    let (bound, observed) = (Log<String?>(), Log<String?>())
    let observations = [
      store.state { state in state.$message.updated { bound.add($0) } },
      store.observe(pulse: \.$message) { observed.add($0) },
    ]
    store.send(.greet("Hello"), .greet("Hello"), .other, .greet("Hello"))
    await clock.idle()
    #expect(bound.all == ["Hello", "Hello", "Hello"])
    #expect(observed.all == bound.all)
    let late = Log<String?>()
    let later = store.observe(pulse: \.$message) { late.add($0) }
    store.send(.other)
    await clock.idle()
    #expect(late.all == [])
    withExtendedLifetime((observations, later)) {}
  }

  @Test func `distinguishes two pulses that the same function observes`() async {
    let store = Store(clock.dependencies) { _ in Bell() }
    let log = Log<String>()
    @Sendable func look(at pulse: Pulse<String>) { pulse.updated { log.add($0) } }
    let observation = store.state { state in
      look(at: state.$first)
      look(at: state.$second)
    }
    store.send(.first, .second, .first)
    await clock.idle()
    #expect(log.all == ["first", "second", "first"])
    withExtendedLifetime(observation) {}
  }

  @Test func `reports no earlier assignment of a pulse that is observed for the first time`() async
  {
    let store = Store(clock.dependencies) { _ in Bell() }
    let log = Log<String>()
    let observation = store.state { state in
      if state.isShown { state.$first.updated { log.add($0) } }
    }
    store.send(.first)
    await clock.idle()
    store.send(.show)
    await clock.idle()
    #expect(log.all == [])
    store.send(.first)
    await clock.idle()
    #expect(log.all == ["first"])
    withExtendedLifetime(observation) {}
  }

  @Test func `waits until a sent Input has settled`() async {
    let store = Store(clock.dependencies) { Writer(time: $0.time) }
    let sending = store.send(.write("a"))
    let waiting = Task { await sending.settled() }
    await clock.advance(by: .seconds(1))
    await waiting.value
    #expect(store.state.text == "a")
    await store.send(.peek).settled()
  }

  @Test func `cancels a sent Input`() async {
    let store = Store(clock.dependencies) { Writer(time: $0.time) }
    let running = store.send(.write("a"))
    let waiting = store.send(.write("b"))
    await waiting.cancel()
    await running.cancel()
    await clock.idle()
    await running.settled()
    await waiting.settled()
    #expect(clock.sleepers == 0)
    #expect(store.state == Writer.State())
  }

  @Test func `ignores what a cancelled Input still sends`() async {
    let store = Store(clock.dependencies) { Stubborn(time: $0.time) }
    let sending = store.send(5)
    await clock.idle()
    #expect(store.state == 5)
    await sending.cancel()
    await clock.idle()
    #expect(store.state == 5)
  }

  @Test func `cancels background work of an Input that has settled`() async {
    let store = Store(clock.dependencies) { Writer(time: $0.time) }
    let watching = store.send(.watch)
    await watching.settled()
    #expect(store.state.busy == "w")
    await watching.cancel()
    await clock.idle()
    #expect(store.state == Writer.State())
  }

  @Test func `frees its view model when it is released`() async {
    let freed = Flag()
    do {
      let store = Store(clock.dependencies) { Writer(time: $0.time, freed: freed.set) }
      store.send(.write("a"))
    }
    await clock.idle()
    #expect(freed.isSet)
    #expect(clock.sleepers == 0)
  }

  @Test func `answers all waiting senders when it closes`() async {
    let store = Store(clock.dependencies) { Writer(time: $0.time) }
    let sendings = [store.send(.write("a")), store.send(.write("b"))]
    store.close()
    for sending in sendings { await sending.settled() }
    await store.send(.write("c")).settled()
    #expect(store.state.text == "")
  }
}

/// Two pulses of one type, and whether the first is observed.
private struct Bell: ViewModelProtocol {
  enum Input: Codable, Sendable { case first, second, show }
  typealias Action = Input
  struct State: Codable, Equatable, Sendable {
    @Pulse var first = ""
    @Pulse var second = ""
    var isShown = false
  }

  var state = State()

  func transform(_ input: Input) -> [Input] { [input] }

  mutating func perform(_ action: Input) {
    switch action {
    case .first: state.first = "first"
    case .second: state.second = "second"
    case .show: state.isShown = true
    }
  }
}
