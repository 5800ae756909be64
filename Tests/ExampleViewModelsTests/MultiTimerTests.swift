import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionExampleViewModels

struct `The timers` {
  private typealias State = MultiTimerViewModel.State
  private typealias Name = MultiTimerViewModel.TimerName
  private let timers = Recorder { _ in MultiTimerViewModel() }

  private func ticks(_ state: State) -> [Int?] {
    Name.allCases.map { state.timers[$0]?.ticks }
  }

  private func running(_ state: State) -> [Name] {
    Name.allCases.filter { state.timers[$0]?.isRunning == true }
  }

  @Test func `case 18: tick at their own intervals`() async {
    timers.send(.startAll)
    #expect(timers.newStates().map(running) == [[.A, .B, .C, .D]])
    _ = timers.newActions()
    await timers.clock.advance(by: .seconds(1))
    #expect(
      timers.newActions() == [.tick(.D), .tick(.B), .tick(.D), .tick(.D), .tick(.A), .tick(.B)]
    )
    await timers.clock.advance(by: .seconds(5))
    #expect(ticks(timers.state) == [6, 12, 3, 20])
  }

  @Test func `case 18: ignore a start while they run`() async {
    timers.send(.start(.A))
    await timers.clock.advance(by: .milliseconds(600))
    #expect(timers.newStates().map(running) == [[.A]])
    timers.send(.start(.A))
    #expect(timers.newStates() == [])
    await timers.clock.advance(by: .milliseconds(400))
    #expect(timers.newStates().map(ticks) == [[1, 0, 0, 0]])
    timers.send(.startAll)
    await timers.clock.advance(by: .seconds(1))
    #expect(ticks(timers.state) == [2, 2, 0, 3])
  }

  @Test func `stop independently`() async {
    timers.send(.startAll)
    await timers.clock.advance(by: .seconds(2))
    timers.send(.stop(.B))
    #expect(running(timers.state) == [.A, .C, .D])
    await timers.clock.advance(by: .seconds(4))
    #expect(ticks(timers.state) == [6, 4, 3, 20])
  }

  @Test func `stop all at once`() async {
    timers.send(.startAll)
    await timers.clock.advance(by: .milliseconds(1_100))
    timers.send(.stopAll)
    _ = timers.newStates()
    await timers.clock.advance(by: .seconds(10))
    #expect(timers.newStates() == [])
    #expect(ticks(timers.state) == [1, 2, 0, 3])
    #expect(running(timers.state) == [])
    #expect(timers.clock.sleepers == 0)
  }

  @Test func `continue from their ticks after a stop, with a whole interval`() async {
    timers.send(.start(.C))
    await timers.clock.advance(by: .seconds(3))
    timers.send(.stop(.C), .start(.C))
    await timers.clock.advance(by: .milliseconds(1_999))
    #expect(ticks(timers.state) == [0, 0, 1, 0])
    await timers.clock.advance(by: .milliseconds(1))
    #expect(ticks(timers.state) == [0, 0, 2, 0])
  }

  @Test func `continue after a restart when they are started again`() async throws {
    timers.send(.start(.A))
    await timers.clock.advance(by: .seconds(1))
    let state = try restored(timers.state)
    let restarted = Recorder { _ in
      var model = MultiTimerViewModel()
      model.state = state
      return model
    }
    restarted.send(.start(.A))
    await restarted.clock.advance(by: .seconds(1))
    #expect(restarted.newStates().map(ticks) == [[2, 0, 0, 0]])
  }

  @Test func `have the JSON that their table documents`() throws {
    let timer = #"{"ticks":0,"isRunning":false}"#
    #expect(
      try json(State())
        == #"{"timers":{"A":\#(timer),"B":\#(timer),"C":\#(timer),"D":\#(timer)}}"#
    )
    timers.send(.start(.B))
    #expect(try restored(timers.state) == timers.state)
    #expect(
      try inputs(#""startAll""#, #""stopAll""#, #"{"start":"A"}"#, #"{"stop":"A"}"#)
        == [MultiTimerViewModel.Input.startAll, .stopAll, .start(.A), .stop(.A)]
    )
    #expect(throws: (any Error).self) {
      try inputs(#"{"start":"E"}"#, as: MultiTimerViewModel.Input.self)
    }
  }
}
