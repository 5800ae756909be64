import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionExampleViewModels

struct `The search` {
  private typealias State = SearchViewModel.State
  private let search = Recorder { SearchViewModel(time: $0.time) }
  private let abc = (1...5).map { "abc 결과 \($0)" }

  private func advance(by milliseconds: Int) async {
    await search.clock.advance(by: .milliseconds(milliseconds))
  }

  @Test func `case 14: searches once, when the typing pauses`() async {
    search.send(.queryChanged("a"))
    await advance(by: 100)
    search.send(.queryChanged("ab"))
    await advance(by: 100)
    search.send(.queryChanged("abc"))
    #expect(search.newStates() == [State(query: "a"), State(query: "ab"), State(query: "abc")])
    await advance(by: 299)
    #expect(search.newStates() == [])
    await advance(by: 1)
    #expect(search.newStates() == [State(query: "abc", isSearching: true)])
    await advance(by: 199)
    #expect(search.newStates() == [])
    await advance(by: 1)
    #expect(search.newStates() == [State(query: "abc", results: abc)])
    await advance(by: 10_000)
    #expect(search.newStates() == [])
    #expect(
      search.newActions() == [
        .changeQuery("a"), .changeQuery("ab"), .changeQuery("abc"), .search, .found(abc),
      ]
    )
  }

  @Test(arguments: [SearchViewModel.Input.clear, .queryChanged("")])
  func `case 15: what is cleared in flight is not found`(input: SearchViewModel.Input) async {
    search.send(.queryChanged("abc"))
    await advance(by: 400)
    #expect(search.state == State(query: "abc", isSearching: true))
    _ = search.newStates()
    search.send(input)
    #expect(search.newStates() == [State()])
    await advance(by: 10_000)
    #expect(search.newStates() == [])
    #expect(search.isSettled)
  }

  @Test func `what is cleared before the pause is not searched for`() async {
    search.send(.queryChanged("abc"))
    await advance(by: 200)
    search.send(.clear)
    await advance(by: 10_000)
    #expect(search.newStates() == [State(query: "abc"), State()])
  }

  @Test func `an empty query searches nothing, and takes the results along`() async {
    search.send(.queryChanged("abc"))
    await advance(by: 500)
    _ = search.newStates()
    search.send(.queryChanged(""))
    await advance(by: 10_000)
    #expect(search.newStates() == [State()])
  }

  @Test func `a query that changes in flight gives up the search for the older one`() async {
    search.send(.queryChanged("abc"))
    await advance(by: 500)
    search.send(.queryChanged("x"))
    await advance(by: 400)
    _ = search.newStates()
    search.send(.queryChanged("xy"))
    await advance(by: 500)
    #expect(
      search.newStates() == [
        State(query: "xy", results: abc),
        State(query: "xy", isSearching: true, results: abc),
        State(query: "xy", results: (1...5).map { "xy 결과 \($0)" }),
      ]
    )
  }

  @Test func `is on the wire as its table says`() throws {
    #expect(try json(State()) == #"{"query":"","isSearching":false,"results":[]}"#)
    let state = State(query: "abc", isSearching: true, results: abc)
    #expect(try restored(state) == state)
    #expect(
      try inputs(#"{"queryChanged":"abc"}"#, #""clear""#)
        == [SearchViewModel.Input.queryChanged("abc"), .clear]
    )
  }
}
