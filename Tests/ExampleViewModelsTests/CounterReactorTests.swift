import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionExampleViewModels

struct `The reacting counter` {
  private typealias State = CounterReactor.State
  private let counter = Recorder { CounterReactor(time: $0.time) }

  @Test func `case 24: increments slowly, one change after another`() async throws {
    counter.send(.incrementSlowly)
    await counter.clock.advance(by: .milliseconds(499))
    #expect(
      try counter.newSnapshots() == [
        #"{"count":{"value":0,"pulse":0},"message":{"value":null,"pulse":0},"isLoading":true}"#
      ]
    )
    await counter.clock.advance(by: .milliseconds(1))
    let message = #""message":{"value":"increased!","pulse":1}"#
    #expect(
      try counter.newSnapshots() == [
        #"{"count":{"value":1,"pulse":1},"message":{"value":null,"pulse":0},"isLoading":true}"#,
        #"{"count":{"value":1,"pulse":1},"message":{"value":null,"pulse":0},"isLoading":false}"#,
        #"{"count":{"value":1,"pulse":1},\#(message),"isLoading":false}"#,
      ]
    )
  }

  @Test func `announces each assignment, even of an equal value`() async {
    counter.send(.increment, .increment, .decrement, .reset, .reset)
    await counter.clock.idle()
    let states = counter.newStates()
    #expect(states.map(\.count) == [1, 2, 1, 0, 0])
    #expect(states.map(\.$count.pulse) == [1, 2, 3, 4, 5])
    #expect(states.map(\.message) == [1, 2, 1, 0, 0].map { "카운트가 \($0)로 업데이트되었습니다" })
    #expect(states.map(\.$message.pulse) == [1, 2, 3, 4, 5])
  }

  @Test func `processes an Input sent meanwhile afterwards`() async {
    counter.send(.incrementSlowly, .increment)
    await counter.clock.advance(by: .milliseconds(500))
    let states = counter.newStates()
    #expect(states.map(\.count) == [0, 1, 1, 1, 2])
    #expect(states.last?.message == "카운트가 2로 업데이트되었습니다")
  }

  @Test func `publishes nothing after its session has closed`() async {
    counter.send(.incrementSlowly)
    _ = counter.newStates()
    counter.engine.close()
    await counter.clock.advance(by: .seconds(10))
    #expect(counter.newStates() == [])
  }

  @Test func `has the JSON that its table documents`() throws {
    #expect(
      try json(State())
        == #"{"count":{"value":0,"pulse":0},"message":{"value":null,"pulse":0},"isLoading":false}"#
    )
    var state = State()
    state.count = 3
    state.message = "3"
    #expect(try restored(state) == state)
    #expect(
      try inputs(#""increment""#, #""decrement""#, #""reset""#, #""incrementSlowly""#)
        == [CounterReactor.Input.increment, .decrement, .reset, .incrementSlowly]
    )
  }
}
