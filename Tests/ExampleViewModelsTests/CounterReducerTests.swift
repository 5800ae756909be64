import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionExampleViewModels

struct `The reducing counter` {
  private typealias State = CounterReducerViewModel.State
  private let counter = Recorder { CounterReducerViewModel(time: $0.time, random: $0.random) }

  @Test func `counts`() {
    counter.send(.increment, .increment, .decrement)
    #expect(counter.newStates() == [State(count: 1), State(count: 2), State(count: 1)])
  }

  @Test func `fetches a number within a second`() async {
    counter.send(.fetch)
    await counter.clock.advance(by: .milliseconds(999))
    #expect(counter.newStates() == [State(isLoading: true)])
    await counter.clock.advance(by: .milliseconds(1))
    #expect(counter.newStates() == [State(count: counter.state.count)])
    #expect((1...100).contains(counter.state.count))
  }

  @Test func `ignores the result of a cancelled fetch`() async {
    counter.send(.fetch)
    await counter.clock.advance(by: .milliseconds(500))
    counter.send(.cancelFetch)
    #expect(counter.newStates() == [State(isLoading: true), State()])
    await counter.clock.advance(by: .seconds(10))
    #expect(counter.newStates() == [])
    #expect(counter.isSettled)
  }

  @Test func `replaces a fetch by a second one`() async {
    counter.send(.fetch)
    await counter.clock.advance(by: .milliseconds(500))
    counter.send(.fetch)
    await counter.clock.advance(by: .milliseconds(999))
    #expect(counter.newStates() == [State(isLoading: true)])
    await counter.clock.advance(by: .seconds(10))
    #expect(counter.newStates().count == 1)
    #expect(counter.newActions() == [.fetch, .fetch, .fetched(counter.state.count)])
  }

  @Test func `has the JSON that its table documents`() throws {
    #expect(try json(State()) == #"{"count":0,"isLoading":false}"#)
    let state = State(count: 7, isLoading: true)
    #expect(try restored(state) == state)
    #expect(
      try inputs(#""increment""#, #""decrement""#, #""fetch""#, #""cancelFetch""#)
        == [CounterReducerViewModel.Input.increment, .decrement, .fetch, .cancelFetch]
    )
  }
}
