import Foundation
import Synchronization
import Testing
import UIFusionKit
import UIFusionTesting

// What follows is the Swift of Testing.md.

struct Diary: ViewModelProtocol {
  enum Input: Codable, Sendable { case note(String) }
  struct State: Codable, Equatable, Sendable { var notes: [Date: String] = [:] }

  var state = State()
  let given: Dependencies

  func transform(_ input: Input) -> [Input] { [input] }

  mutating func perform(_ action: Input) {
    switch action {
    case .note(let text): state.notes[given.now] = text
    }
  }
}

struct Dice: ReducerViewModel {
  enum Input: Codable, Sendable { case roll, rollSlowly, stop }
  enum Action: Equatable, Sendable { case roll, rollSlowly, show(Int), stop }
  enum EffectName { case roll }
  struct State: Codable, Equatable, Sendable { var number = 0, isRolling = false }

  var state = State()
  let time: any TimeSource
  let random: RandomSource

  func restored(_ interrupted: Interrupted) -> [Action] {
    guard state.isRolling else { return [] }
    return [interrupted.contains(EffectName.roll) ? .rollSlowly : .stop]
  }

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .roll: [.roll]
    case .rollSlowly: [.rollSlowly]
    case .stop: [.stop]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .roll:
      return [.runAction { [random] in .show(random.number(in: 1...6)) }]
    case .rollSlowly:
      state.isRolling = true
      return [
        .runAction(id: EffectName.roll) { [time, random] in
          try await time.sleep(for: .seconds(2))
          return .show(random.number(in: 1...6))
        }
      ]
    case .show(let number):
      state = State(number: number)
    case .stop:
      state.isRolling = false
      return [.cancel(id: EffectName.roll)]
    }
    return []
  }
}

extension Dice: Planned {
  static let plan: [PlannedInput<Dice>] = [
    .input(
      .roll,
      "Roll is tapped",
      [.action(.roll), .action(.show(4), ["number": "is from 1 to 6"])]
    ),
    .input(
      .rollSlowly,
      "Roll is held down",
      [
        .action(.rollSlowly, ["isRolling": "is true for 2 s"]),
        .action(.show(4), ["number": "is from 1 to 6", "isRolling": "is false"]),
      ]
    ),
    .input(
      .stop,
      "Stop is tapped while the dice roll",
      after: [.rollSlowly],
      delay: .seconds(1),
      [.action(.stop, ["isRolling": "is false"])]
    ),
  ]
}

/// Records the texts that it shows.
final class Labels: Sendable {
  private let all = Mutex<[String]>([])
  var texts: [String] { all.withLock { $0 } }
  func show(_ text: String) { all.withLock { $0.append(text) } }
}

struct `The guide on testing` {
  @Test func `an increase adds one`() {
    var counter = SyncCounter()
    counter.send(.increase)
    #expect(counter.state.value == 1)
  }

  @Test func `a slow roll takes two seconds`() async {
    let store = AsyncTestStore({ $0.random = RandomSource(seed: 1) }) {
      Dice(time: $0.time, random: $0.random)
    }
    await store.send(.rollSlowly) { $0.isRolling = true }
    await store.advance(by: .seconds(2))
    await store.receive(.show(4)) {
      $0.number = 4
      $0.isRolling = false
    }
    await store.finish()
  }

  @Test func `a stopped roll shows nothing`() async {
    let store = AsyncTestStore { Dice(time: $0.time, random: $0.random) }
    await store.send(.rollSlowly) { $0.isRolling = true }
    await store.send(.stop) { $0.isRolling = false }
    await store.advance(by: .seconds(10))
    await store.finish()
  }

  @Test func `a counter is busy while it waits`() async {
    let store = AsyncTestStore { AsyncCounter(time: $0.time) }
    await store.send(.increase) { $0.isBusy = true }
    await store.advance(by: .milliseconds(500))
    await store.change {
      $0.value = 1
      $0.isBusy = false
    }
    await store.finish()
  }

  @Test func `a note has the time at which it was taken`() async {
    let noon = Date(timeIntervalSince1970: 1_772_366_400)
    let store = AsyncTestStore(clock: TestClock(date: noon)) { Diary(given: $0) }
    await store.advance(by: .seconds(60))
    await store.send(.note("tea")) { $0.notes = [noon + 60: "tea"] }
    await store.finish()
  }

  @Test func `a roll is followed by another`() async {
    let store = AsyncTestStore { Dice(time: $0.time, random: $0.random) }
    store.isExhaustive = false
    await store.send(.rollSlowly)
    await store.send(.rollSlowly) { $0.isRolling = true }
    await store.advance(by: .seconds(2))
    await store.receive(where: { if case .show = $0 { true } else { false } }) {
      $0.isRolling = false
    }
    await store.finish()
  }

  @Test func `an interrupted roll restarts`() async throws {
    let store = try AsyncTestStore(
      restoring: Dice.State(isRolling: true),
      interrupted: Interrupted(ids: Dice.EffectName.roll),
      { $0.random = RandomSource(seed: 1) }
    ) { Dice(time: $0.time, random: $0.random) }
    await store.advance(by: .seconds(2))
    await store.receive(.show(4)) {
      $0.number = 4
      $0.isRolling = false
    }
    await store.finish()
  }

  @Test func `a roll without a running effect ends`() async throws {
    let store = try AsyncTestStore(restoring: Dice.State(isRolling: true)) {
      Dice(time: $0.time, random: $0.random)
    }
    await store.change { $0.isRolling = false }
    await store.finish()
  }

  @Test func `minutes of format 1 become seconds`() throws {
    let stored = try StoredState(json: #"{"minutes":2,"isRunning":true}"#)
    #expect(try Countdown.migrate(stored, from: 1).remaining == 120)
  }

  @Test func `a store waits on a test clock`() async {
    let clock = TestClock()
    let store = Store(clock.dependencies) { AsyncCounter(time: $0.time) }
    store.send(.increase)
    #expect(store.state.isBusy)
    await clock.advance(by: .milliseconds(499))
    #expect(store.state.isBusy)
    await clock.advance(by: .milliseconds(1))
    #expect(store.state.value == 1)
    #expect(clock.sleepers == 0)
  }

  @Test func `the dice match their plan`() async {
    await expectPlan({ $0.random = RandomSource(seed: 1) }) {
      Dice(time: $0.time, random: $0.random)
    }
  }

  @Test func `a label follows the value`() async {
    let clock = TestClock()
    let labels = Labels()
    let store = Store(clock.dependencies) { AsyncCounter(time: $0.time) }
    let observation = store.observe(\.value) { labels.show("\($0)") }
    store.send(.increase)
    await clock.run()
    #expect(labels.texts == ["0", "1"])
    observation.stop()
  }

  @Test func `a stub calls the reactor, or only records Inputs`() async {
    let stub = Stub(reactor: CounterReactor(time: TestClock()))
    #expect(await stub.test(input: .reset).value == 0)
    await stub.send(.increase)
    #expect(stub.inputs == [.reset, .increase])
    stub.state = CounterState(value: 2)
    #expect(stub.states.last?.value == 2)
  }

  @Test func `shows the text of a State that differs`() async {
    let texts = await texts {
      let store = AsyncTestStore { Dice(time: $0.time, random: $0.random) }
      await store.send(.rollSlowly) { $0.number = 6 }
      await store.finish()
    }
    #expect(
      texts == [
        """
        State is not as expected after sending rollSlowly.
          number: expected 6, is 0
          isRolling: expected false, is true
        (Correct the closure: it must change the State of before into the one after.)
        """,
        """
        Still running at the end of the test: the effect roll.
        (Let time go on until it ends, or send the Input that cancels it.)
        """,
      ]
    )
  }

  @Test func `shows the text of an action that was not received`() async {
    let texts = await texts {
      let store = AsyncTestStore({ $0.random = RandomSource(seed: 1) }) {
        Dice(time: $0.time, random: $0.random)
      }
      await store.send(.roll)
      await store.finish()
    }
    #expect(
      texts == [
        """
        Not everything was looked at before the end of the test:
          received show(4) (number: 0 → 4)
        (Use receive(_:), change(_:) or receiveError(_:) for each, or skip().)
        """
      ]
    )
  }

  /// Returns the texts of the issues that a body records.
  private func texts(of body: () async -> Void) async -> [String] {
    let labels = Labels()
    await withKnownIssue {
      await body()
    } matching: { issue in
      for comment in issue.comments { labels.show(comment.rawValue) }
      return true
    }
    return labels.texts
  }
}
