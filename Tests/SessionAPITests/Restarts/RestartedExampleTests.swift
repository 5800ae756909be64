import Testing
import UIFusionTesting

/// The examples after their process was killed at work.
struct `A restarted example` {
  @Test(arguments: [#""increase""#, #""decrease""#])
  func `counter: shows no loading, and drops the interrupted step`(step: String) async throws {
    var counter = try await Visit("counter")
    try await counter.send(step)
    await counter.advance(by: 300)
    #expect(try await !counter.state().contains(#""loadingState":"none""#))
    try await counter.restart()
    let idle = #"{"value":0,"loadingState":"none","activeAlert":null}"#
    #expect(try await counter.state() == idle)
    #expect(try await counter.isSettled())
    await counter.advance(by: 10_000)
    #expect(try await counter.state() == idle)
    try await counter.send(#""increase""#)
    await counter.advance(by: 500)
    #expect(try await counter.state().hasPrefix(#"{"value":1,"#))
  }

  @Test func `counter-reducer: repeats an interrupted fetch`() async throws {
    var counter = try await Visit("counter-reducer")
    try await counter.send(#""increment""#, #""fetch""#)
    await counter.advance(by: 900)
    try await counter.restart()
    #expect(try await counter.state() == #"{"count":1,"isLoading":true}"#)
    #expect(try await !counter.isSettled())
    await counter.advance(by: 999)
    #expect(try await counter.state() == #"{"count":1,"isLoading":true}"#)
    await counter.advance(by: 1)
    #expect(try await counter.state().hasSuffix(#","isLoading":false}"#))
    #expect(try await counter.isSettled())
  }

  @Test func `counter-reducer: does not repeat a cancelled fetch`() async throws {
    var counter = try await Visit("counter-reducer")
    try await counter.send(#""fetch""#, #""cancelFetch""#)
    try await counter.restart()
    await counter.advance(by: 10_000)
    #expect(try await counter.state() == #"{"count":0,"isLoading":false}"#)
    #expect(try await counter.version() == 3)
  }

  @Test func `counter-reactor: shows no loading, and drops the interrupted step`() async throws {
    var counter = try await Visit("counter-reactor")
    try await counter.send(#""increment""#, #""incrementSlowly""#)
    let told = #""count":{"value":1,"pulse":1},"message":{"value":"카운트가 1로 업데이트되었습니다","pulse":1}"#
    #expect(try await counter.state() == #"{\#(told),"isLoading":true}"#)
    try await counter.restart()
    await counter.advance(by: 10_000)
    #expect(try await counter.state() == #"{\#(told),"isLoading":false}"#)
  }

  @Test func `calculator: clears itself after five whole seconds`() async throws {
    var calculator = try await Visit("calculator")
    try await calculator.send(
      #"{"digit":6}"#,
      #"{"operation":"multiply"}"#,
      #"{"digit":7}"#,
      #""equals""#
    )
    await calculator.advance(by: 4_000)
    try await calculator.restart()
    let result = #"{"display":"42","activeAlert":null,"isAutoClearTimerActive":true}"#
    await calculator.advance(by: 4_999)
    #expect(try await calculator.state() == result)
    await calculator.advance(by: 1)
    #expect(
      try await calculator.state()
        == #"{"display":"0","activeAlert":null,"isAutoClearTimerActive":false}"#
    )
  }

  @Test func `calculator: forgets the pending operation, which is not in State`() async throws {
    var calculator = try await Visit("calculator")
    try await calculator.send(#"{"digit":2}"#, #"{"operation":"add"}"#, #"{"digit":3}"#)
    let before = (try await calculator.state(), try await calculator.version())
    try await calculator.restart()
    #expect(try await (calculator.state(), calculator.version()) == before)
    try await calculator.send(#""equals""#)
    #expect(try await calculator.state().hasPrefix(#"{"display":"3","#))
  }

  @Test func `search: waits again for a whole pause in the typing`() async throws {
    var search = try await Visit("search")
    try await search.send(#"{"queryChanged":"abc"}"#)
    await search.advance(by: 200)
    try await search.restart()
    await search.advance(by: 299)
    #expect(try await search.state() == #"{"query":"abc","isSearching":false,"results":[]}"#)
    await search.advance(by: 1)
    #expect(try await search.state() == #"{"query":"abc","isSearching":true,"results":[]}"#)
    await search.advance(by: 200)
    #expect(
      try await search.state().hasPrefix(#"{"query":"abc","isSearching":false,"results":["abc"#)
    )
  }

  @Test func `search: repeats an interrupted search at once`() async throws {
    var search = try await Visit("search")
    try await search.send(#"{"queryChanged":"abc"}"#)
    await search.advance(by: 400)
    try await search.restart()
    #expect(try await search.state() == #"{"query":"abc","isSearching":true,"results":[]}"#)
    await search.advance(by: 200)
    #expect(
      try await search.state().hasPrefix(#"{"query":"abc","isSearching":false,"results":["abc"#)
    )
  }

  @Test func `search: does not repeat a finished search`() async throws {
    var search = try await Visit("search")
    try await search.send(#"{"queryChanged":"abc"}"#)
    await search.advance(by: 500)
    let before = (try await search.state(), try await search.version())
    #expect(before.0.contains("결과"))
    try await search.restart()
    #expect(search.client.clock.sleepers == 0)
    await search.advance(by: 10_000)
    #expect(try await (search.state(), search.version()) == before)
  }

  @Test func `search: stays empty if it was cleared`() async throws {
    var search = try await Visit("search")
    try await search.send(#"{"queryChanged":"abc"}"#, #""clear""#)
    try await search.restart()
    await search.advance(by: 10_000)
    #expect(try await search.state() == #"{"query":"","isSearching":false,"results":[]}"#)
  }

  @Test func `countdown: goes on from the second that was shown`() async throws {
    var countdown = try await Visit("countdown", parameters: #"{"seconds":20}"#)
    try await countdown.send(#""start""#)
    await countdown.advance(by: 3_900)
    try await countdown.restart()
    #expect(try await countdown.state() == #"{"remaining":17,"isRunning":true}"#)
    await countdown.advance(by: 1_000)
    #expect(try await countdown.state() == #"{"remaining":16,"isRunning":true}"#)
    try await countdown.send(#""reset""#)
    #expect(try await countdown.state() == #"{"remaining":20,"isRunning":false}"#)
  }

  @Test func `countdown: stays paused`() async throws {
    var countdown = try await Visit("countdown")
    try await countdown.send(#""start""#)
    await countdown.advance(by: 1_000)
    try await countdown.send(#""pause""#)
    try await countdown.restart()
    await countdown.advance(by: 10_000)
    #expect(try await countdown.state() == #"{"remaining":9,"isRunning":false}"#)
  }
}
