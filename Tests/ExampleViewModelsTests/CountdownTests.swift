import FusionStrictJSON
import Testing
import UIFusionTesting

@testable import FusionExampleViewModels

struct `The countdown` {
  private typealias State = CountdownViewModel.State
  private let countdown = Recorder { _ in CountdownViewModel() }

  @Test func `case 16: counts down to 0, and stops there`() async {
    countdown.send(.start)
    #expect(countdown.newStates() == [State(remaining: 10, isRunning: true)])
    await countdown.clock.advance(by: .milliseconds(999))
    #expect(countdown.newStates() == [])
    await countdown.clock.advance(by: .milliseconds(1))
    #expect(countdown.newStates() == [State(remaining: 9, isRunning: true)])
    await countdown.clock.advance(by: .seconds(9))
    let running = (1...8).reversed().map { State(remaining: $0, isRunning: true) }
    #expect(countdown.newStates() == running + [State(remaining: 0)])
    await countdown.clock.advance(by: .seconds(10))
    #expect(countdown.newStates() == [])
    #expect(countdown.clock.sleepers == 0)
  }

  @Test func `ignores a start while it runs`() async {
    countdown.send(.start)
    await countdown.clock.advance(by: .milliseconds(500))
    countdown.send(.start)
    await countdown.clock.advance(by: .milliseconds(500))
    #expect(countdown.newStates().map(\.remaining) == [10, 9])
    await countdown.clock.advance(by: .seconds(1))
    #expect(countdown.newStates().map(\.remaining) == [8])
  }

  @Test func `ignores a start at 0`() async {
    countdown.send(.setDuration(0))
    _ = countdown.newStates()
    countdown.send(.start)
    await countdown.clock.advance(by: .seconds(5))
    #expect(countdown.newStates() == [])
  }

  @Test func `keeps the remaining time while it is paused`() async {
    countdown.send(.start)
    await countdown.clock.advance(by: .milliseconds(2_500))
    countdown.send(.pause)
    #expect(countdown.newStates().last == State(remaining: 8))
    await countdown.clock.advance(by: .seconds(10))
    #expect(countdown.newStates() == [])
    countdown.send(.start)
    await countdown.clock.advance(by: .seconds(1))
    #expect(countdown.newStates().map(\.remaining) == [8, 7])
  }

  @Test func `stops when its duration is set, and returns to that duration on a reset`()
    async throws
  {
    countdown.send(.start)
    await countdown.clock.advance(by: .seconds(1))
    _ = countdown.newStates()
    countdown.send(.setDuration(20))
    #expect(try countdown.newSnapshots() == [#"{"remaining":20,"isRunning":false}"#])
    await countdown.clock.advance(by: .seconds(5))
    #expect(countdown.newStates() == [])
    countdown.send(.start)
    await countdown.clock.advance(by: .seconds(5))
    _ = countdown.newStates()
    countdown.send(.reset)
    #expect(try countdown.newSnapshots() == [#"{"remaining":20,"isRunning":false}"#])
    await countdown.clock.advance(by: .seconds(5))
    #expect(countdown.newStates() == [])
  }

  @Test func `ignores a duration below 0`() async {
    countdown.send(.start, .setDuration(-1))
    await countdown.clock.advance(by: .seconds(1))
    #expect(countdown.newStates().map(\.remaining) == [10, 9])
  }

  @Test func `begins and resets at the time given by a parameter`() async throws {
    let three = try parameters(#"{"seconds":3}"#)
    let countdown = Recorder { _ in CountdownViewModel(three) }
    #expect(countdown.state == State(remaining: 3))
    countdown.send(.start)
    await countdown.clock.advance(by: .seconds(1))
    countdown.send(.reset)
    #expect(countdown.state == State(remaining: 3))
    #expect(CountdownViewModel(try parameters("{}")).state == State(remaining: 10))
  }

  @Test(arguments: [#"{"seconds":-1}"#, #"{"seconds":1.5}"#, #"{"seconds":"3"}"#])
  func `refuses an invalid parameter by its name`(text: String) {
    let error = #expect(throws: JSONError.self) { try parameters(text) }
    #expect(error?.member == "seconds")
  }

  @Test func `explains why a parameter below 0 is refused`() {
    let error = #expect(throws: JSONError.self) { try parameters(#"{"seconds":-1}"#) }
    #expect(error?.description == "seconds: a countdown starts at 0 seconds or more")
  }

  @Test func `continues with the remaining time after a restart`() async throws {
    countdown.send(.setDuration(20), .start)
    let state = try restored(countdown.state)
    let restarted = Recorder { _ in
      var model = CountdownViewModel()
      model.state = state
      return model
    }
    restarted.send(.start)
    await restarted.clock.advance(by: .seconds(1))
    restarted.send(.reset)
    #expect(restarted.newStates() == [State(remaining: 19, isRunning: true), State(remaining: 10)])
  }

  @Test func `has the JSON that its table documents`() throws {
    #expect(try json(CountdownViewModel().state) == #"{"remaining":10,"isRunning":false}"#)
    countdown.send(.setDuration(5))
    #expect(try countdown.newSnapshots() == [#"{"remaining":5,"isRunning":false}"#])
    #expect(
      try inputs(#""start""#, #""pause""#, #""reset""#, #"{"setDuration":10}"#)
        == [CountdownViewModel.Input.start, .pause, .reset, .setDuration(10)]
    )
  }

  private func parameters(_ text: String) throws -> CountdownViewModel.Parameters {
    try StrictJSON.decode(CountdownViewModel.Parameters.self, from: Array(text.utf8))
  }
}
