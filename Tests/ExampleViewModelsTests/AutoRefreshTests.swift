import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionExampleViewModels

struct `The automatic refresh` {
  private typealias State = AutoRefreshViewModel.State
  private let page = Recorder { AutoRefreshViewModel(time: $0.time) }

  private func data(_ count: Int) -> [String] {
    (1...3).map { "데이터 \(count)-\($0)" }
  }

  private func advance(by milliseconds: Int) async {
    await page.clock.advance(by: .milliseconds(milliseconds))
  }

  @Test func `case 17: loads at once, then every five seconds, with new data each time`() async {
    page.send(.start)
    #expect(page.newStates() == [State(count: 1, isRunning: true, isLoading: true)])
    await advance(by: 499)
    #expect(page.newStates() == [])
    await advance(by: 1)
    #expect(page.newStates() == [State(count: 1, data: data(1), isRunning: true)])
    await advance(by: 4_499)
    #expect(page.newStates() == [])
    await advance(by: 1)
    #expect(
      page.newStates() == [State(count: 2, data: data(1), isRunning: true, isLoading: true)]
    )
    await advance(by: 500)
    #expect(page.newStates() == [State(count: 2, data: data(2), isRunning: true)])
    await advance(by: 10_000)
    #expect(page.newStates().last == State(count: 4, data: data(4), isRunning: true))
  }

  @Test func `case 17: stopping cancels the timer and the request in flight`() async {
    page.send(.start)
    await advance(by: 5_200)
    _ = page.newStates()
    page.send(.stop)
    #expect(page.newStates() == [State(count: 2, data: data(1))])
    await advance(by: 60_000)
    #expect(page.newStates() == [])
    #expect(page.clock.sleepers == 0)
  }

  @Test func `ignores a start while it runs`() async {
    page.send(.start)
    await advance(by: 3_000)
    _ = page.newStates()
    page.send(.start)
    await advance(by: 1_999)
    #expect(page.newStates() == [])
    await advance(by: 1)
    #expect(page.newStates().map(\.count) == [2])
  }

  @Test func `refreshes once when it is refreshed by hand`() async {
    page.send(.refresh)
    await advance(by: 60_000)
    #expect(page.newStates() == [State(count: 1, isLoading: true), State(count: 1, data: data(1))])
    #expect(page.isSettled)
  }

  @Test func `keeps its timer when it is refreshed by hand`() async {
    page.send(.start)
    await advance(by: 4_800)
    page.send(.refresh)
    await advance(by: 200)
    _ = page.newStates()
    // The tick at 5 s has replaced the request in flight.
    await advance(by: 500)
    #expect(page.newStates() == [State(count: 3, data: data(3), isRunning: true)])
  }

  @Test func `continues after a restart when it is started again`() async throws {
    page.send(.start)
    let state = try restored(page.state)
    let restarted = Recorder { dependencies in
      var model = AutoRefreshViewModel(time: dependencies.time)
      model.state = state
      return model
    }
    restarted.send(.start)
    await restarted.clock.advance(by: .milliseconds(5_500))
    #expect(
      restarted.newStates() == [
        State(count: 2, isRunning: true, isLoading: true),
        State(count: 2, data: data(2), isRunning: true),
      ]
    )
  }

  @Test func `has the JSON that its table documents`() throws {
    #expect(try json(State()) == #"{"count":0,"data":[],"isRunning":false,"isLoading":false}"#)
    let state = State(count: 2, data: data(1), isRunning: true, isLoading: true)
    #expect(try restored(state) == state)
    #expect(
      try inputs(#""start""#, #""stop""#, #""refresh""#)
        == [AutoRefreshViewModel.Input.start, .stop, .refresh]
    )
  }
}
