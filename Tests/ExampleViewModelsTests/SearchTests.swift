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
  func `case 15: ignores the results of a search that was cleared in flight`(
    input: SearchViewModel.Input
  ) async {
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

  @Test func `does not search if it is cleared before the pause`() async {
    search.send(.queryChanged("abc"))
    await advance(by: 200)
    search.send(.clear)
    await advance(by: 10_000)
    #expect(search.newStates() == [State(query: "abc"), State()])
  }

  @Test func `does not search for an empty query, and clears the results`() async {
    search.send(.queryChanged("abc"))
    await advance(by: 500)
    _ = search.newStates()
    search.send(.queryChanged(""))
    await advance(by: 10_000)
    #expect(search.newStates() == [State()])
  }

  @Test func `cancels the search in flight when the query changes`() async {
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

  @Test func `has the JSON that its table documents`() throws {
    #expect(try json(State()) == #"{"query":"","isSearching":false,"results":[]}"#)
    let state = State(query: "abc", isSearching: true, results: abc)
    #expect(try restored(state) == state)
    #expect(
      try inputs(#"{"queryChanged":"abc"}"#, #""clear""#)
        == [SearchViewModel.Input.queryChanged("abc"), .clear]
    )
  }
}
