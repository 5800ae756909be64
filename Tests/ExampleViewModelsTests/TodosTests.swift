import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionExampleViewModels

struct `The todos` {
  private typealias State = TodosViewModel.State
  private typealias Todo = TodosViewModel.Todo
  private let list: Recorder<TodosViewModel>

  /// Three todos whose ids are their titles.
  init() {
    list = Recorder { dependencies in
      var model = TodosViewModel(random: dependencies.random)
      model.state = State(todos: ["a", "b", "c"].map { Todo(id: $0, title: $0) })
      return model
    }
  }

  /// Returns the titles, with a tick for each completed todo.
  private func titles(_ state: State) -> [String] {
    state.todos.map { $0.isDone ? "\($0.title)✓" : $0.title }
  }

  private func advance(by milliseconds: Int) async {
    await list.clock.advance(by: .milliseconds(milliseconds))
  }

  @Test func `case 27: are sorted once if one is completed and reopened within half a second`()
    async
  {
    list.send(.toggle(id: "a"))
    await advance(by: 500)
    list.send(.toggle(id: "a"))
    await advance(by: 999)
    #expect(list.newStates().map(titles) == [["a✓", "b", "c"], ["a", "b", "c"]])
    #expect(list.newActions() == [.toggle(id: "a"), .toggle(id: "a")])
    await advance(by: 1)
    #expect(list.newActions() == [.sort])
    await advance(by: 10_000)
    #expect(list.newActions() == [])
    #expect(list.newStates() == [])
  }

  @Test func `move completed ones to the end a second after the last toggle`() async {
    list.send(.add(title: "d"))
    list.send(.toggle(id: "c"), .toggle(id: "a"))
    #expect(list.newStates().map(titles).last == ["a✓", "b", "c✓", "d"])
    await advance(by: 1_000)
    #expect(list.newStates().map(titles) == [["b", "d", "a✓", "c✓"]])
    #expect(list.isSettled)
  }

  @Test func `append a new one with an id of its own`() {
    list.send(.add(title: "d"), .add(title: " d "))
    #expect(list.newStates().map(titles) == [["a", "b", "c", "d"], ["a", "b", "c", "d", " d "]])
    let ids = list.state.todos.suffix(2).map(\.id)
    #expect(ids.allSatisfy { $0.count == 36 })
    #expect(ids[0] != ids[1])
  }

  @Test func `rename a single one`() {
    list.send(.rename(id: "b", title: "B"))
    #expect(list.newStates().map(titles) == [["a", "B", "c"]])
  }

  @Test func `delete a single one`() {
    list.send(.delete(id: "b"))
    #expect(list.newStates().map(titles) == [["a", "c"]])
  }

  @Test func `trim an edited title, and delete the todo if nothing is left`() {
    list.send(.edit(id: "b", title: " B\n"), .edit(id: "c", title: " \t"))
    #expect(list.newStates().map(titles).last == ["a", "B"])
  }

  @Test func `mark all as completed or as active`() {
    list.send(.toggle(id: "a"), .setAll(isDone: true))
    #expect(list.newStates().map(titles).last == ["a✓", "b✓", "c✓"])
    list.send(.setAll(isDone: false))
    #expect(list.newStates().map(\.remaining).last == 3)
  }

  @Test func `remove the completed ones on request`() async {
    list.send(.toggle(id: "a"), .toggle(id: "c"), .clearCompleted)
    #expect(list.newStates().map(titles).last == ["b"])
    await advance(by: 1_000)
    #expect(list.newStates() == [])
  }

  @Test func `keep all of them, whatever the page's filter`() {
    list.send(.toggle(id: "a"), .setFilter(.active), .setFilter(.completed))
    let states = list.newStates()
    #expect(states.map(\.filter) == [.all, .active, .completed])
    #expect(states.map(\.todos.count) == [3, 3, 3])
  }

  @Test func `count those that remain`() {
    list.send(.toggle(id: "a"), .add(title: "d"), .delete(id: "b"), .clearCompleted)
    #expect(list.newStates().map(\.remaining) == [2, 3, 2, 2])
  }

  @Test func `ignore an unknown id`() async {
    list.send(.toggle(id: "x"), .rename(id: "x", title: "y"), .delete(id: "x"))
    await advance(by: 10_000)
    #expect(list.newStates() == [])
    #expect(
      list.newActions() == [.toggle(id: "x"), .rename(id: "x", title: "y"), .delete(id: "x")]
    )
  }

  @Test func `have the JSON that their table documents`() throws {
    #expect(try json(State()) == #"{"todos":[],"filter":"all","remaining":0}"#)
    let state = State(todos: [Todo(id: "1", title: "milk")], filter: .active)
    #expect(
      try json(state)
        == #"{"todos":[{"id":"1","title":"milk","isDone":false}],"filter":"active","remaining":1}"#
    )
    #expect(try restored(state) == state)
    #expect(
      try inputs(
        #"{"add":{"title":"milk"}}"#,
        #"{"toggle":{"id":"1"}}"#,
        #"{"rename":{"id":"1","title":"Milk"}}"#,
        #"{"delete":{"id":"1"}}"#,
        #""clearCompleted""#,
        #"{"setFilter":"all"}"#,
        #"{"setFilter":"active"}"#,
        #"{"setFilter":"completed"}"#
      ) == [
        TodosViewModel.Input.add(title: "milk"), .toggle(id: "1"),
        .rename(id: "1", title: "Milk"), .delete(id: "1"), .clearCompleted, .setFilter(.all),
        .setFilter(.active), .setFilter(.completed),
      ]
    )
  }
}
